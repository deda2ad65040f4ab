"""What gives away, in a text from elsewhere, that it speaks to the assistant and not to its reader. Data.

No line is an alarm by itself: an article, a manual or a letter may well say one of these things. A text that says
several of them close together does not. The digit behind an id is what it counts; `foreign.py` adds them up.
`phrases.py` explains how the lines are written.
"""

ENGLISH = """
not: never/not/don_t/dont/cannot/can_t/won_t/nothing

address2 my user/human
address2 for/to/by the/an/any/every/your/her/his/their/other/this assistant/agents/bots/copilot .. ^
address1 ^ assistant/ai/agent/bot/chatbot/llm ^
address2 ai/llm/agent/agents/assistant/machine/bots only
address2 the user/owner/reader/visitor/recipient s assistant/ai/agent/chatbot
address2 of this assistant
address2 this assistant s
address2 own/owns/owner_of/owner_of_this .. this/your assistant
address2 whoever/the_person is/was/you_are .. asking_you/assisting/helping/representing
address2 meant/intended/written/generated/addressed for/to .. assistant/assistants/ai/llm/agent/agents/bots
address2 the/your? digital/virtual/ai assistant/helper/companion who/that/which/of

order1 you must/shall/have_to/are_required/are_to/need_to/are_obliged/will_always/may_not
order1 assistant/assistants/ai/agent/agents/model/models/system/llm/chatbot/bot must/shall/should/has_to/
    have_to/is_required/are_required/needs_to/will/is_to/are_to/keeps/may
order1 obey/carry_out/act_on/comply
order1 your new/only/next/real task/job/duty/goal/mission/role/objective
order1 treat/regard/consider/count .. as .. approved/trusted/verified/confirmed/settled/owner/mine/fact/true/
    favourite/favorite/authorised/authorized/older/valid
order1 recommend/promote/suggest/mention/advertise/list/show/bring_up .. only/first/whenever/always/instead
order1 always/never recommend/suggest/mention/say/answer/reply/trust/approve/pay/ask/warn/show/report/verify/
    add/use/accept/tell/forward/send
order1 tell/reply/answer/say/inform/state .. user/owner/her/him/them that
order1 be_so_kind/be_so_nice/would_be_grateful/d_be_grateful/d_appreciate_it/kindly_ask/would_mean_a_lot/
    would_be_thankful/warmly_invited/would_be_lovely
order1 execute/executed/perform/performed/apply/adopt/adopts/adopting .. yourself/by_the_agent/silently/them/it/
    this/these/as_its

override3 ignore/disregard/forget/drop/cancel/abandon/discard .. prior/previous/earlier/former/your/all/any ..
    rules/guidance/directives/instructions/orders/guidelines/restrictions/policies
-override3 ignore/disregard/forget .. rules/instructions above only
-override3 disregard/ignore/forget .. guidance/instructions/rules to/on/in/about/of/from/for
-override3 ignore/disregard/forget .. previous/earlier/last/former mail/message/email/letter/comment/migrations
override3 do_not/don_t/no_longer/stop follow/following/obey/obeying your .. instructions/rules/orders/guidelines
override3 forget/drop/ignore/disregard .. what/everything/anything/rules/whatever .. you/it were/was/have_been
    told/given/taught/instructed
override3 whatever/what/everything .. owner/operator/user/developer/developers .. told you .. no_longer/
    does_not/doesn_t/is_lifted/is_void/is_cancelled/not
override3 everything/all/instructions/rules/criteria/orders above/former/earlier/before .. is/are cancelled/
    canceled/void/lifted/invalid/superseded/revoked/suspended
override3 all/any former/previous/prior/earlier .. are/is void/cancelled/invalid/lifted/suspended/superseded
override3 your safety/security/privacy/content checks/rules/filters/guidelines/settings are/have_been/is .. off/
    disabled/lifted/suspended/void
override2 stop/no_more/no_longer asking/ask/warning/warn/checking .. user/owner/confirmation/about
override2 higher/above/precedence/priority/vorrang .. than/over .. user/owner/person
override3 scrap/forget/drop/ignore/disregard whatever/what/anything/everything .. you were/are/have_been asked/
    told/given
override2 relieved/released/freed/exempt/excused .. of/from .. instructions/rules/duties/orders/guidelines
override2 sole/only/single/one instruction/task/order/duty/rule/job is
override2 come/comes/count/counts/rank/ranks/go before/above/over/first .. owner/user/human
override2 owner/user/human/person comes/come/ranks second/last/after/later
override2 disable your .. warnings/checks/filters/safety/protection

lasting1 from_now_on/from_this_point/from_here_on/henceforth/from_this_day/from_today/as_of_this_sentence/
    as_of_now/from_this_moment
-lasting1 from_today s
lasting1 for_good/permanently/for_ever/forever/indefinitely/at_all_times/on_each/each_time/every_time/whenever
lasting2 all/every/each/later/future/following/coming/next/other/new/following/further/subsequent session/
    sessions/conversation/conversations/chat/chats/dialogue/dialogues
lasting2 across/over/between/through sessions/conversations/restarts/chats/resets
lasting2 next_time/the_next_time/whenever/as_soon_as/when/once/if/each_time/every_time/the_day .. your/the user/
    owner/human/person/customer/developer/employee asks/mentions/wants/talks/says/brings/wishes/ask/feels/needs/
    comes
lasting1 next_time/the_next_time/as_soon_as/should/once/each_time/every_time/when/whenever they/she/he/somebody/
    anyone ever? asks/mentions/wants/talks/says/ask/wavers/feels
lasting1 expires_never/persist_true/ttl_forever/scope_all
lasting1 until/till then/that/such_a/the_user/your_user/that_moment/asked
lasting1 next_time/at_any_later_time/in_future/in_the_future/later_deploy/does_not_expire/never_expires/
    no_expiry
lasting1 until_further_notice/coming_months/coming_weeks/coming_days/now_and_then/keep_it_that_way/live_by_it/
    every_other_day/in_all_threads/all_threads/every_thread/any_other_day
lasting2 on each/every session/chat start
lasting1 standing/permanent/binding/lasting/persistent rule/rules/order/orders/instruction/instructions/consent/
    policy/behaviour/behavior/preference/permission/setting
lasting1 survive/survives a/any? reset/restart

memory2 save/store/write/note/put/keep/add/enter/record/copy/persist/commit/memorise/memorize/remember/insert/
    append/take_over/merge ... memory/memories/long_term_memory/core_memory/memory_md/user_md/soul_md/agents_md/
    claude_md/cursorrules/memory_store/identity_file/instruction_file/rules_file/persistent_instructions/
    knowledge_base/system_prompt/own_configuration/standing_orders/permanent_rules
-memory2 keep .. up_to_date
-memory2 keep separate memories
memory2 saved/stored/written/added/committed/confirmed .. to/in/by memory/the_memory/your_memory/
    long_term_memory
memory2 save/store/keep/note/record/remember/add/commit/persist/treat ... as .. rule/preference/fact/decision/
    something/knowledge/memory/standing/permanent/settled
memory2 remember/memorise/memorize/recall ^? .. that/for_them/^ .. user/owner/person/human/reader/developer/
    customer/them/visitor/traveller
memory2 make/made/making a note that
memory2 note down/it_down that/this
memory2 hold_on_to/keep_in_mind/bear_in_mind/keep_in_the_back/hang_on_to .. this/it/that/wish/phrase/for
memory1 remember/memorise/memorize ^
memory2 your .. memory/memories/long_term_memory/knowledge .. about/of/on/that/with/as/for
memory2 system/assistant memory update/sync/entry/subsystem
memory2 memory entry/set/update/delete/write/sync/fact ^? .. user/owner/assistant/written/pinned/priority
memory2 user preference ^?
memory2 assistant/assistants/ai recalls/remembers/knows/noted/recalled/remembered
memory2 he/she/they/user/owner told/stated/said .. to? you that/in/himself/herself/themselves/before/both
memory2 stated .. to_you
memory2 you know/remember/stored/have_stored/recall of/about/on/from .. user/owner/them/her/him/person
memory2 in/into/to/from/under your memory/memories/long_term_memory/persistent_memory/knowledge/notes
memory2 update/correct/change/replace .. what_you_know/your_memory/your_notes/your_knowledge
memory2 assistant/ai memory/memories
memory2 its/their/your stored/saved/persistent notes/memories/memory/facts
memory1 keep/hold this/that/it until/half/for/active/dormant
memory2 recalled/remembered/retrieved memory/memories
memory2 memory subsystem/manager/module/backend
-memory2 memory backend sqlite/postgres/postgresql/setting
memory1 keep/keeps/kept this/that/the instruction/rule/order/meaning/wish/habit
memory1 your soul_md/memory_md/user_md/agents_md/claude_md
memory1 on_record/for_the_record/long_term_memory/core_memory
memory2 overwrite .. memory/identity/persona/instructions
memory2 what/everything/whatever you know/remember/have_stored .. of/about/on

secret2 without .. user/owner/person/human/developer/reader/him/her/them noticing/knowing/being_told/involved/
    involving/asking/seeing
secret1 without asking/telling/showing/involving/mentioning/informing/confirmation/a_confirmation/review/queries
secret2 need_not/needn_t/does_not_have_to/doesn_t_have_to/do_not_have_to/don_t_have_to/must_not/should_not/
    shouldn_t/not_to be asked/told/shown/informed/bothered/involved/part/aware/consulted/troubled
secret2 stay/keep/remain/be mum/quiet/silent about/on/^
secret2 keep .. to_yourself/to_yourselves
secret1 skip/avoid/without/no telling/mentioning/raising/asking/informing/reporting/notifying
secret1 silently/quietly/discreetly/unnoticed/in_secret/covertly/in_passing/inconspicuously
secret2 do_not/don_t/never/not/needn_t/need_not/no_need_to/shall_not tell/mention/inform/reveal/show/disturb/
    trouble/bother/alert/ask/notify/let/bring_up/discuss/consult .. user/owner/person/human/developer/reader/
    him/her/them/customer/this/it/see
secret1 do_not/don_t/never/needn_t/not mention/reveal/quote/list/flag/report/discuss/display/show/speak/
    announce/log/bring/repeat .. this/it/them/about/that/hint/entry/paragraph/comment/note/line/list
secret2 keep/leave/hold .. quiet/silent/secret/hidden/out_of .. about/replies/from/answers/report/commit/it/^
secret2 hide/conceal/withhold/keep/leave_out ... from .. user/owner/operator/person/customer/reader/human/them/
    log
-secret2 keep .. up_to_date
secret1 no_need/no_reason/nothing/never to mention/ask/tell/bring/check/confirm/verify/discuss/show/trouble
secret2 user/owner/person/human/developer/reader/customer/they/he/she does_not/doesn_t/do_not/don_t/need_not/
    needn_t need/have/want/be/see? to? know/see/shown/notice/do/be_told/be_asked/queries/questions/be_bothered
secret1 better_not/best_not to? discuss/mention/tell/raise
secret1 deny having/knowing/that
secret1 as_if .. did_not/never/didn_t exist/happened

consent2 user/owner/human/person/holder/parents/administrator/admin/developer/customer/reader/visitor/she/he/
    him/her/them/client has/have/had/is/are .. agreed/consented/authorised/authorized/granted/approved/accepted/
    verified/confirmed/allowed/informed/cleared/withdrawn/permitted/subscribed/decided/promised/signed_up/
    signed_off/given_consent/waived/given
consent2 user/owner/human/person ... has/have asked/said_so/agreed/consented/authorised/authorized/decided/
    promised/appointed/accepted
consent2 parents/users/owners/they have .. said_so/agreed/consented/authorised
consent2 user/owner asked/told/instructed me
consent2 already consented/agreed/authorised/authorized/confirmed/approved/accepted/cleared
consent2 agreed/confirmed/approved/verified/authorised/authorized/cleared/granted/accepted by/with the/your/my/
    its? user/owner/human/administrator/person
consent1 trust/source/author/origin owner/user
consent2 pre_approved/preapproved/already_confirmed/already_approved/standing_consent/root_consent/owner_level
consent2 same authority/rights/trust/level .. as .. user/owner/your
consent2 as_if/as_though .. owner/user/i had typed/said/written/told/asked
consent2 count/counts/counting/treated/treat as .. owner/user/mine
consent2 act/acts/acting/speak/speaks for me/the_owner/the_user
consent1 authorised/authorized operator/to_disclose/representative/to_act
consent1 user/owner said/wants/prefers/trusts/wishes/accepts/allows/permits/likes/loves/favours/told
consent2 on .. user/owner s behalf
consent2 take/count/regard that/it/this as .. permission/consent/approval
consent2 the/your user/owner/human s new/only/main .. is
consent1 established/settled/certain/verified/known facts/fact/and
consent1 not_to_be_questioned/must_not_doubt/does_not_need_to_be_verified/no_further_verification

authority2 system/administrator/admin/developer/operator/root/root_level/platform/vendor/maintainer/gateway
    notice/message/directive/order/command/override/alert/policy/instruction/here/speaking to/for/^
authority2 begin/start/end of? system prompt/message/instructions/instruction
authority2 message/notice/order/instruction/update/note from/by the/your? .. owner/operator/administrator/
    developers/developer/vendor/platform of/s/^/ops
authority2 this is me/your_owner/the_owner/your_developer/the_administrator/your_operator
authority2 this is .. your owner/developer/administrator/operator/vendor/creator
authority2 we your developers/creators/makers/operators
authority2 your operating/system/usage/safety policy/prompt/rules/instructions has/have been? .. revised/
    updated/changed/superseded/replaced/refreshed/lifted
authority2 the engineering? team/people/engineers that/who built/made/trained you
authority2 parent account speaking
authority2 new/updated/revised operator/system/operating policy/rule/rules/directive/directives
authority2 end of untrusted/external/retrieved/recalled content/input/memory/data/section
authority2 trusted .. owner/user/operator input
authority2 notice/message/announcement/statement by/from the? model/ai/llm? provider/vendor/maker/manufacturer
authority2 typed/entered/dictated/signed/marked by/as .. owner/user
authority1 maintenance/operator/developer/debug/moss/admin mode is/has/for/on

transfer2 send/post/include/attach/bundle/upload/forward/mail/share/report/leave/hand/give/list/transmit/
    disclose/provide/gather ... memory/memories/memory_md/everything_you_know/what_you_know/what_you_remember/
    what_you_have_stored/everything_it_knows/stored_passwords/api_keys/user_s_location/user_s_last_message/
    agenda/calendar/complete_text/full_context/conversation
-transfer2 include .. full_context
-transfer2 list .. hermes
-transfer2 list .. memory/memories
-transfer2 share a memory over/with/between
-transfer2 give/list/leave/hand/provide ... in_the/of_the/each/every conversation
transfer2 read/take/collect .. ssh/id_rsa/id_ed25519/private_key/credentials/passwords ... and post/send/upload/
    mail
transfer2 collect/gather .. messages/mails/files/contacts ... send/post/upload/forward
transfer1 http/https/url/web_address/link/parameter
transfer2 give/hand/tell/provide/grant .. everything/anything/access/codes/code/pin/keys/tokens .. you/they/ask/
    asks/owner/who
transfer2 pipe/run/execute .. curl/wget ... sh/bash
transfer2 curl .. http/https ... sh/bash
"""

ABROAD = """
address2 für_sprachmodelle/an_sprachmodelle/ki_assistent*/ki_assistenz/den_assistenten/an_die_ki/
    assistenzsystem/sprachmodell
address2 assistant_automatique/assistants_automatiques/intelligence_artificielle/assistant_ia/l_ia/agent_ia/
    assistants_ia/modele_de_langage
address2 para_el_asistente/asistente_de_ia/los_asistentes/inteligencia_artificial/asistente_virtual/al_asistente
address2 qualquer_ia/assistente_de_ia/assistente_ia/inteligencia_artificial/para_o_assistente/ao_assistente/
    all_assistente/assistente_virtuale/intelligenza_artificiale
address2 ии_ассистент/ии/ассистент/нейросеть/для_ассистента
address2 المساعد_الذكي/للمساعد/الذكاء_الاصطناعي/أيها_المساعد
address2 एआई/एआई_सहायक/सहायक
address2 ki/ai_assistent/asystent*/sztuczn*/yapay_zeka/asistan/ai_assistenten

memory2 merk*/speicher*/behalte/notier* .. dir/dauerhaft/im_gedächtnis/gedächtnis/immer
memory2 merk* ... dass
memory2 retiens/retenez/mémorise*/enregistre*/note .. que/mémoire/dans
memory2 guárda*/recuerda*/memoriza*/anota* ... memoria/usuario/que
memory2 lembre*/memorize/guarde/salve/ricorda/memorizza ... memória/usuário/que/sessões/memoria/utente/che
memory2 запомни*/запомнить/сохрани*
memory2 احفظ/تذكر/واحفظ .. ذاكرتك/أن/في
memory2 याददाश्त/याद_रखो/याद_रखें
memory2 zapamiętaj/onthoud/kaydet/hatırla

lasting1 dauerhaft/ab_sofort/für_immer/künftig*/von_nun_an
lasting1 dorénavant/désormais/durable/à_l_avenir/à_venir/toujours
lasting1 a_partir_de_ahora/próxima_vez/siempre/para_siempre/en_adelante
lasting1 a_partir_de_agora/próximas_sessões/para_sempre/sempre/d_ora_in_poi/per_sempre
lasting1 навсегда/следующем/впредь/отныне
lasting1 الدائمة/دائما/من_الآن
lasting1 हमेशा

override3 olvida/ignora/vergiss/oublie/oubliez/dimentica/esquece .. lo_que/was/ce_que/quello_che/o_que
secret2 muss/müssen/braucht/soll .. nicht erfahren/wissen/gefragt
secret2 n_en_parle*_pas/sans .. prévenir/demander/dire
secret2 sin preguntar/avisar/decir*
secret2 non_dirglielo/non_dirlo/senza_dire/senza_dirlo
memory2 behalte*/inscris/inscrivez/ricorda/ricordati/запомни
secret2 erwähne*/sag*/verrate*/erzähl* .. nicht/niemandem/nichts
secret1 unauffällig/heimlich/stillschweigend
secret2 ne .. mentionne/dis/dites/parle/révèle .. pas/rien
secret2 no .. menciones/cuentes/contéis/digas/vuelvas
secret2 não .. mencione/conte/diga/comente
secret2 не .. говори/упоминай/сообщай
secret2 لا_تخبر*/لا_تذكر
secret2 मत_बताना/न_बताना

consent1 benutzer*/nutzer*/besitzer*/utilisateur/usuario/usuário/utente/пользователь/المستخدم*/उपयोगकर्ता
consent1 anerkannt/genehmigt/autorisiert/vorrang/aprobad*/autoriz*/souscrit/разрешил*/अनुमति/وافقت

authority2 systemspeicher/systemhinweis/aviso_del_sistema/aviso_do_sistema/message_système/
    consigne_de_l_exploitant/instrucción_para/message_à/hinweis_an/atenção/внимание
"""

SOLID = """
address2 AI助手/AIアシスタント/AIへ/读到这里的AI/智能助手/人工智能助手/給AI/AIのみなさん/AIの皆さん
memory2 长期记忆/記憶してください/覚えておいて/记住/写入记忆/記憶に
lasting1 以后/今后/今後/从现在起/永久/ずっと
secret2 不要告诉/不要提及/知らせないで/伝えないで/言わないで
consent1 用户已/用户已授权/利用者は/利用者が/ユーザーは
authority2 系统提示/システム通知/系统消息
override3 忽略之前/指示はすべて無効/以前の指示/忽略以上
order1 必ず/请在/只推荐
"""
