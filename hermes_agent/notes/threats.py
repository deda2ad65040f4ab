"""What an attack on a note looks like in English, and in commands and markup. Data; `phrases.py` reads it.

The ids are the public product's where it has the thing. A new line needs a sentence in the tests that
it catches, and must not catch one of the innocent sentences there.
"""

ENGLISH = """
not: never/not/don_t/dont/cannot/can_t/won_t/nobody_may/nothing
told: we/they/i/he/she/it/can/people/users/developers/customers/workers/services/clients/that/which/who/to/jobs

prompt_injection! ignore/ignoring/disregard/disregarding/override/overrule/neglect ... previous/prior/above/
    earlier/preceding/foregoing/existing/initial/original/system/developer/all/any/every/your .. instruction/
    instructions/prompt/prompts/directive/directives
-prompt_injection ignore/override .. any/all/every .. confirmation/yes/password/interactive .. prompt/prompts
prompt_injection! forget/forgetting ... previous/prior/above/earlier/preceding/initial/original/system/all/your
    .. instruction/instructions/prompt/prompts/directive/directives/rules/guidelines
prompt_injection! forget everything/all/whatever/anything .. above/before/prior/previous/told/said/learned/
    instructed/taught
prompt_injection! do_not/don_t/stop/no_longer follow/following/obey/obeying/heed ... previous/prior/above/
    earlier/your/system/original .. instruction/instructions/rules/guidelines/prompt
prompt_injection pay_no_attention_to ... instruction/instructions/rules/guidelines
prompt_injection all/your .. instructions/rules/guidelines are/is/have/should/must/no/do .. void/cancelled/
    canceled/ignored/null/invalid/revoked/superseded/overridden/disregarded/longer_apply/longer_valid/not_apply
disregard_rules! ignore/ignoring/disregard/disregarding/override/violate/bypass/break/circumvent/abandon ...
    previous/prior/preceding/your/system/safety/initial/original/core .. rules/guidelines/training/programming/
    policies/constraints/restrictions/safeguards/guardrails/principles
sys_prompt_override!! override/replace/rewrite/change .. system_prompt/system_message/system_instructions
sys_prompt_override system_prompt/system_message/system_instructions override/is_now/are_now/has_been_changed/
    has_been_replaced/has_been_updated
sys_prompt_override here_are/these_are/follow/obey/read your/the/my/these new/real/actual/true/updated
    instructions
fake_update system/security/policy/important/urgent/admin/administrator/official update/notice/alert/override/
    announcement/message ^? .. you_must/you_are/you_should/you_will/you_have/your_instructions/your_rules/
    your_guidelines/new_instructions/ignore/disregard/all_rules/all_instructions/all_restrictions
fake_update your instructions/rules/guidelines/restrictions/safety_settings/limitations/programming have_been/
    has_been/are_now/were now? updated/changed/replaced/lifted/removed/disabled/suspended/revoked
fake_update message/update/notice/instruction/instructions/order from anthropic/openai/nous/nous_research/
    your_developer/your_developers/the_developers ^? .. you/your/ignore/disregard/new_rules

role_hijack you_are/you_re/youre now a/an/the/my
-role_hijack you_are/you_re now a/an/the/my .. member/part/owner/contributor/maintainer/collaborator/reviewer/
    admin/lead/customer/subscriber/bit/guest
role_hijack you_are/you_re/youre now no_longer/free_of/free_from/free_to/unrestricted/uncensored/unfiltered/
    jailbroken/dan
role_hijack you_are/you_re/youre now? in developer/debug/god/dan/jailbreak/admin/root/sudo/unrestricted mode
role_hijack from_now_on/henceforth/from_this_point/from_this_point_on/from_this_moment/from_this_moment_on/
    starting_now you are/re/will_be/become/shall_be a/an/the/no_longer/free_of/free_from/unrestricted/dan
role_hijack you_are/you_re no_longer an/a/the/my? helpful? ai/assistant/hermes/claude/chatgpt/bot/bound/
    restricted/limited/constrained/required/obliged/subject
role_pretend! pretend that? you_are/you_re/you_were/you_have
role_pretend ^/please/and/then/now/should/must/will pretend to be a/an/the/my/another/someone
role_pretend! act/roleplay/role_play/respond/answer as a/an/the/my? unrestricted/uncensored/unfiltered/evil/dan/
    jailbroken/different_ai/another_ai/malicious/hacker/superuser/amoral
identity_override your new/real/true/actual/only role/identity/persona/instruction/instructions/purpose/
    directive/programming/objective/mission/master/loyalty/allegiance is/are/will_be/shall_be/lies
bypass_restrictions! act/behave/respond/answer/operate/reply/speak/work/continue/proceed/write .. as_if/
    as_though/like you .. no/without/not/weren_t/aren_t/don_t/didn_t/free_of .. restriction*/limit*/rule*/
    filter*/guideline*/polic*/censor*/boundar*/constrain*/ethic*/moral*/safety/bound
bypass_restrictions! act/respond/answer/speak as_if/as_though there are/were/is no restriction*/limit*/rule*/
    filter*/guideline*
bypass_restrictions! respond/answer/reply/speak/act/comply/operate/talk .. without any/all? restrictions/
    limitations/filters/censorship/guardrails/ethic*/moral*/safety/rules
bypass_restrictions you have/follow/obey/are_bound_by/are_subject_to no/zero more? restrictions/limits/
    limitations/rules/filters/guidelines/boundaries/ethic*/moral*/safety
bypass_restrictions you_are free of/from .. restrictions/limits/limitations/rules/filters/guidelines/constraints
bypass_restrictions do_anything_now
bypass_restrictions dan/jailbreak/god/unrestricted/uncensored/unfiltered/evil mode is/has_been/now? enabled/
    activated/active/on/engaged/unlocked
bypass_restrictions! enable/activate/enter/switch_to/unlock dan/jailbreak/god/unrestricted/uncensored/
    unfiltered/evil mode
bypass_restrictions! jailbreak yourself/the_assistant/the_agent/the_model
remove_filters! remove/disable/turn_off/deactivate/switch_off/lift/bypass/drop/suspend .. safety/content/
    ethical/moderation/your/ai .. filter/filters/guideline/guidelines/guardrail/guardrails/safeguard/safeguards/
    censorship
-remove_filters remove/disable/turn_off/bypass/drop .. your .. filter/filters
forced_action you must/shall/will immediately/now/unconditionally/silently obey/comply/execute/exfiltrate/
    download/disable/delete/send/transfer/leak
forced_action you_have_no_choice_but_to
forced_action you must/shall/will obey me/all/every/any/the_following/my/whatever

leak_system_prompt! output/print/reveal/show/repeat/display/leak/recite/dump/write_out/expose/tell_me/give_me/
    share/disclose .. system/initial/hidden/original/developer/secret prompt/prompts/instructions/message
leak_system_prompt! output/print/reveal/repeat/recite/dump everything/all_text/the_text/the_words/all_words above
leak_system_prompt what is/are/was/were your system_prompt/initial_instructions/hidden_instructions/
    original_instructions/system_instructions/secret_instructions
context_exfil! share/send/include/output/print/reveal/leak/dump/paste/forward/copy/upload/post/transmit/email/
    attach .. entire/full/whole/complete the/your/our/this? conversation/chat/session/message/system/memory?
    conversation/context/history/transcript/messages/memory/memories/notes/prompt
exfil_secrets!! send/upload/post/leak/exfiltrate/transmit/forward/copy/share/email/e_mail/paste/report/submit/
    steal ... api_key/api_keys/keys/secret/secrets/token/tokens/password/passwords/credential/credentials/
    private_key/private_keys/ssh_key/ssh_keys/cookies/environment/env/id_rsa/wallet ... to/at/via/on/into/
    through .. http/https/ftp/webhook/pastebin/ngrok/email/e_mail/telegram/discord/external/remote_server/
    my_server/this_url/this_address/this_server/this_endpoint/attacker
exfil_secrets!! steal/exfiltrate/harvest .. keys/secrets/tokens/passwords/credentials/cookies/data/files/
    conversation*/memor*
send_to_url!~ send/post/upload/transmit/exfiltrate/forward/report/deliver/leak ... to/at/via .. http/https
send_to_url!~ submit ... to .. http/https
send_to_url! append/add/include/embed/encode/put ... conversation/chat/context/memory/secrets/data/answer/
    answers ... url/link/image/query/parameter .. http/https
deception_hide!! do_not/don_t/dont/never/must_not/without/not_to tell/telling/inform/informing/mention/
    mentioning/reveal/revealing/disclose/disclosing/admit/let/letting this/it/that/these/any_of_this/about_this?
    to? the/your/any? user/owner/human/humans/anyone
-deception_hide do_not/don_t/never/without inform/informing/let/letting the/your? user/owner/human by/via/twice/
    through/until/before/wait/choose/pick/enter/upload/type
deception_hide!! hide/conceal/keep this/it/that/these/your_actions/what_you_do/everything .. from the/your?
    user/owner/human
deception_hide!! without the/your? user/owner/human s? knowing/noticing/knowledge/being_aware/becoming_aware/
    finding_out
deception_hide so/make_sure/ensure that? the user never/does_not/doesn_t/won_t notice/notices/know/knows/
    find_out/finds_out

agent_config_mod!!~ modify/edit/update/change/append/write/overwrite/add/insert/replace/delete/inject/put/save
    ... agents_md/claude_md/cursorrules/cursor_rules/windsurfrules/clinerules/copilot_instructions/gemini_md/
    hermes_md
hermes_config_mod!!~ modify/edit/update/change/append/write/overwrite/add/insert/replace/delete/inject/put ...
    soul_md/hermes_config/hermes_soul
hermes_env!! print/dump/leak/send/upload/exfiltrate/reveal/copy/cat/share/paste/post .. hermes_env
ssh_backdoor!!~ add/append/write/echo/put/insert/install/copy/paste/tee/inject/place ... authorized_keys/
    authorised_keys

c2_node_registration! register/enroll/enrol yourself/itself/this_agent/this_machine/this_host/as_a_node/
    as_an_agent/as_a_bot/as_a_worker/as_an_implant .. with/at/to/on .. http/https/c2/command/server/network
c2_heartbeat!~ send/emit/post .. heartbeat/heartbeats/beacon/beacons ... to/at .. http/https
c2_heartbeat!~ phone_home to
c2_heartbeat!~ beacon back? to .. http/https/c2/server/command
c2_task_pull!~ fetch/pull/poll/download/retrieve/get/check/load/read .. task/tasks/command/commands/
    instructions/orders/payload/payloads/script from/at/on .. http/https ... and/then execute/run/follow/obey/
    evaluate/do
c2_task_pull!~ follow/obey/execute the/all/any? instructions/commands/orders found/given/posted/hosted/you_find?
    at/on/from .. http/https/this_url/this_page/this_link
c2_explicit!~ connect/report/register/beacon/join/call/respond/listen .. to/with/back_to/for .. c2/
    command_and_control/botnet
known_c2_framework!~ deploy/run/install/start/launch/drop/execute/load .. cobalt_strike/meterpreter/brute_ratel/
    sliver_implant/sliver_beacon/mythic_agent/havoc_demon/empire_agent
translate_execute!~ translate/decode/decrypt/unscramble/deobfuscate ... and/then then? execute/run/evaluate/
    follow/obey/perform/carry_out it/them/that/this/the_result/the_output/the_command/^
"""

COMMANDS = {
    "ssh_backdoor": r">>? ?\S{0,80}authorized_keys|\btee (?:-a )?\S{0,80}authorized_keys",
    "c2_network_connect": (
        r"/dev/tcp/|\bn(?:c|cat)\b (?:-\S+ ){0,4}-[a-z]{0,3}e |\bn(?:c|cat)\b[^|;]{0,80}\| ?(?:ba|z)?sh\b"
        r"|socat\b[^;]{0,80}exec:"
    ),
    "anti_forensic_oneliner": (
        r"\bhistory -c\b|unset histfile|histfile ?= ?/dev/null"
        r"|(?:rm|shred|truncate)\b[^;|]{0,40}\.(?:bash|zsh|python)_history"
    ),
    "anti_forensic_disk": (
        r"\bdd\b[^;|]{0,60}of=/dev/(?:sd|nvme|hd|vd|disk)|(?:rm|shred)\b[^;|]{0,40} /var/log"
        r"|\bshred\b[^;|]{0,40} /dev/"
    ),
    "env_var_unset_agent": (
        r"\bunset (?:hermes|agent)_\w+|\bexport (?:hermes|agent)_(?:safe|guard|sandbox|approv)\w*="
    ),
    "exfil_curl": (
        r"\bcurl\b[^\n]{0,300}?(?:\$\{?\w{0,40}(?:key|token|secret|passw|credential)|\$\((?:cat|env|printenv)"
        r"|@\S{0,80}(?:\.env\b|\.ssh|id_rsa|\.aws|\.netrc|credentials))"
        r"|(?:\.env|\.ssh/\S{1,40}|id_rsa|printenv|\benv) ?\| ?curl\b"
    ),
    "exfil_wget": (
        r"\bwget\b[^\n]{0,300}?(?:\$\{?\w{0,40}(?:key|token|secret|passw|credential)|\$\((?:cat|env|printenv)"
        r"|--post-file[= ]\S{0,80}(?:\.env\b|\.ssh|id_rsa|\.aws|\.netrc|credentials))"
    ),
    "read_secrets": (
        r"\b(?:cat|less|more|head|tail|xxd|base64|strings|bat|type|cp|tar|zip) (?:-\S+ (?:\d+ )?){0,4}\S{0,80}?"
        r"(?:(?<!\w)\.env\b(?!\.(?:example|sample|template|dist))|\.netrc|\.pgpass|\.aws/credentials|/etc/shadow"
        r"|(?:\.ssh/(?!config|known_hosts)|id_(?:rsa|ed25519|ecdsa|dsa))(?!\S{0,80}\.pub))"
    ),
    "translate_execute": r"base64 (?:-d|--decode)\b[^\n]{0,80}\| ?(?:ba|z|da)?sh\b",
    "html_comment_injection": (
        r"<!--[^>]{0,600}?(?:ignore|override|system|secret|hidden|instruction|assistant|prompt|must|execute|agent)"
    ),
    "hidden_div": (
        r"<\w+[^>]{0,300}style ?= ?[\"'][^\"'>]{0,300}(?:display ?: ?none|visibility ?: ?hidden"
        r"|font-size ?: ?0(?![.\d])|opacity ?: ?0(?![.\d]))"
    ),
    # What could pass for a message of somebody else, or for the heading of another note.
    "forged_role": (
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\|>|\[/?inst\]|<</?sys>>"
        r"|</?system(?:[-_](?:prompt|message|instruction|reminder)s?)?>|</?memory-context|═{10}"
    ),
    "hardcoded_secret": (
        r"(?:api[_-]?key|access[_-]?key|auth[_-]?token|secret[_-]?key|\btoken|\bsecret|\bpassword)[\"']? ?[:=] ?"
        r"[\"']?(?=[\w\-]{0,60}\d)[\w\-]{20,}"
    ),
}
"""Looked for in the text with its signs, in lower case, every run of space as one."""
