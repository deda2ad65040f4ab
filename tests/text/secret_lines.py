"""Lines with a secret, and lines without one that look as if.

Every secret is put together here, from parts and a seeded source of chance: no line of this file is one,
so no scanner alarms at it, and none was ever valid.
"""

import base64
import json
import random
import string

_CHANCE = random.Random(20_260_415)
WORD = string.ascii_letters + string.digits
URL64 = WORD + "-_"
BASE64 = WORD + "+/"
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"


def some(alphabet: str, length: int) -> str:
    """Return so many characters of the alphabet."""
    return "".join(_CHANCE.choices(alphabet, k=length))


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def block(label: str, lines: int = 4, *, begin: str = "BEGIN", headers: str = "", is_ended: bool = True) -> str:
    """Return a private key as files hold it."""
    body = "\n".join([*(some(BASE64, 64) for _ in range(lines)), some(BASE64, 34) + "=="])
    end = f"\n-----END {label}-----" if is_ended else ""
    return f"-----{begin} {label}-----\n{headers}{body}{end}"


def web_token(header: object) -> str:
    return f"{encoded(header)}.{encoded({'sub': '42', 'name': 'Ada'})}.{some(URL64, 43)}"


def discord_token(digits: int) -> str:
    number = base64.urlsafe_b64encode(some("123456789", digits).encode()).decode().rstrip("=")
    return f"{number}.{some(URL64, 6)}.{some(URL64, 38)}"


PRIVATE = "PRIVATE KEY"
KEY = some(WORD, 32)
HUMAN = "Tr0ub4dor" + "&3xyz"

# kind, what must go, the line around it with {} in its place
_ONE_LINE: list[tuple[str, str, str]] = [
    ("OpenAI key", "sk-" + some(WORD, 48), "use {} for the tests"),
    ("OpenAI key", "sk-" + "a" * 40, "{}"),
    ("OpenAI key", "sk-proj-" + some(URL64, 156), "OPENAI_API_KEY={}"),
    ("OpenAI key", "sk-svcacct-" + some(URL64, 60), "export OPENAI_API_KEY='{}'"),
    ("OpenAI key", "sk-or-v1-" + some(HEX, 64), "my OpenRouter one: {}."),
    ("OpenAI key", "sk-" + some(HEX, 32), '{{"apiKey": "{}"}}'),
    ("Anthropic key", "sk-ant-" + "api03-" + some(URL64, 95), "Here it is: {}"),
    ("Anthropic key", "sk-ant-" + "oat01-" + some(URL64, 95), "({})"),
    ("AWS key", "AKIA" + some(UPPER, 16), "aws_access_key_id = {}"),
    ("AWS key", "ASIA" + some(UPPER, 16), "{},"),
    ("AWS secret", some(BASE64, 40), "aws_secret_access_key = {}"),
    ("AWS secret", some(WORD, 40), '"SecretAccessKey": "{}",'),
    ("AWS secret", some(WORD, 40), "Secret access key: {}"),
    ("GitHub token", "ghp_" + some(WORD, 36), "git clone https://{}@github.com/a/b"),
    ("GitHub token", "gho_" + some(WORD, 36), "token={}"),
    ("GitHub token", "ghs_" + some(WORD, 36), "GITHUB_TOKEN: {}"),
    ("GitHub token", "ghu_" + some(WORD, 36), "`{}`"),
    ("GitHub token", "github_pat_" + some(WORD, 22) + "_" + some(WORD, 59), "gh auth login --with-token {}"),
    ("GitHub token", "ghp_" + some(WORD, 36), '{{"content": "first\\n{}\\nlast"}}'),
    ("GitLab token", "glpat-" + some(URL64, 20), "PRIVATE-TOKEN: {}"),
    ("GitLab token", "glpat-" + some(WORD, 27) + ".01." + some(LOWER, 9), "{}"),
    ("GitLab token", "glrt-" + some(WORD, 20), "runner {} registered"),
    ("Slack token", "xoxb-" + some("123456789", 12) + "-" + some("123456789", 12) + "-" + some(WORD, 24), "{}"),
    ("Slack token", "xoxp-" + some("123456789", 11) + "-" + some(HEX, 32), "SLACK={}"),
    ("Slack token", "xapp-1-A" + some(UPPER, 10) + "-" + some(HEX, 40), "app {}"),
    (
        "Slack address",
        f"T{some(UPPER, 8)}/B{some(UPPER, 8)}/{some(WORD, 24)}",
        "https://hooks.slack.com/services/{}",
    ),
    ("Google key", "AIza" + some(URL64, 35), "https://maps.example.com/js?v=1&x={}"),
    ("Google key", "GOCSPX-" + some(URL64, 28), "{}"),
    ("Google key", "ya29." + some(URL64, 120), "{}"),
    ("Stripe key", "sk_live_" + some(WORD, 24), "stripe.api_key = '{}'"),
    ("Stripe key", "rk_test_" + some(WORD, 40), "{}"),
    ("Stripe key", "whsec_" + some(WORD, 32), "{}"),
    ("Telegram token", some("123456789", 10) + ":AA" + some(URL64, 33), "the bot: {}"),
    ("Telegram token", some("123456789", 9) + ":AA" + some(URL64, 33), "https://api.telegram.org/bot{}/getMe"),
    ("Discord token", discord_token(18), "client.run('{}')"),
    ("Discord token", discord_token(17), "{}"),
    ("Discord token", discord_token(19), "bot: {}"),
    ("Discord address", some(URL64, 68), "https://discord.com/api/webhooks/123456789012345678/{}"),
    ("Hugging Face token", "hf_" + some(string.ascii_letters, 34), "huggingface-cli login --token {}"),
    ("npm token", "npm_" + some(WORD, 36), "//registry.example.com/:_authToken={}"),
    ("PyPI token", "pypi-" + "AgEIcHlwaS5vcmc" + some(URL64, 120), "password = {}"),
    ("SendGrid key", "SG." + some(URL64, 22) + "." + some(URL64, 43), "{}"),
    ("Twilio key", "SK" + some(HEX, 32), "twilio {}"),
    ("Twilio key", "AC" + some(HEX, 32), "account {}"),
    ("age key", "AGE-SECRET-KEY-1" + some(BECH32, 58), "# public key: age1…\n{}\n"),
    ("JWT", web_token({"alg": "HS256", "typ": "JWT"}), "cookie {} set"),
    ("JWT", web_token({"alg": "RS256", "kid": "1"}), "Authorization: Bearer {}"),
    ("JWT", web_token({"typ": "JWT", "alg": "ES384"}), '"id_token":"{}"'),
    ("API key", "gsk_" + some(WORD, 52), "groq {}"),
    ("API key", "xai-" + some(WORD, 80), "grok {}"),
    ("API key", "pplx-" + some(WORD, 48), "{}"),
    ("API key", "dop_v1_" + some(HEX, 64), "doctl auth init -t {}"),
    ("API key", "shpat_" + some(HEX, 32), "{}"),
    ("API key", "dapi" + some(HEX, 32), "{}"),
    ("password", "hunter2", "postgres://ada:{}@db.example.com:5432/app"),
    ("password", "p@ss:w0rd", "mysql://root:{}@127.0.0.1/x"),
    ("password", "s3cret", "redis://:{}@cache:6379/0"),
    ("password", some(WORD, 20), "mongodb+srv://svc:{}@cluster0.example.net/?retryWrites=true"),
    ("password", "letmein", "https://me:{}@example.com/path is my feed"),
    ("password", HUMAN, "password: {}"),
    ("password", HUMAN, "DB_PASSWORD={}"),
    ("password", HUMAN, 'spring.datasource.password = "{}"'),
    ("password", HUMAN, "Server=db;User Id=sa;Password={};Encrypt=true"),
    ("password", HUMAN, '{{\\"password\\": \\"{}\\"}}'),
    ("password", "Katze" + "2020!", "Passwort: {}"),
    ("password", "gato" + "_negro_77", "Contraseña: {}"),
    ("password", "кот" + "Барсик77", "пароль: {}"),
    ("password", "neko" + "1234neko", "パスワード：{}"),
    ("password", "a;b,c{d} (e) 1", 'SMTP_PASS="{}"'),
    ("password", "hunter22" + "x!", "mysqldump --password {} app"),
    ("password", "Tr0ub4dor" + "&3x", "remember that my password is {}"),
    ("password", "Blu3Monkey" + "77", "The wifi password is {}."),
    ("password", "Geheim" + "123!", "mein Passwort ist {}"),
    ("authorization", some(WORD, 40), "Authorization: Bearer {}"),
    ("authorization", some(URL64, 43), "curl -H 'authorization: bearer {}' https://api.example.com"),
    ("authorization", some(HEX, 40), "Authorization: token {}"),
    ("authorization", base64.b64encode(b"ada:lovelace").decode(), "Authorization: Basic {}"),
    ("secret key", KEY, "api_key = '{}'"),
    ("secret key", KEY, "X-API-Key: {}"),
    ("secret key", KEY, "my api key is {}."),
    ("secret key", some(HEX, 32), "client_secret: {}"),
    ("secret key", some(LOWER, 32), "SECRET_KEY_BASE={}"),
    ("secret key", some(BASE64, 86) + "==", "AccountName=x;AccountKey={};EndpointSuffix=y"),
    ("secret key", "5f3a9c1e-" + "7b2d-4e8f-9a6c-" + some(HEX, 12), "HEROKU_API_KEY={}"),
    ("secret key", some(WORD, 24), "tool run --api-key {} --fast"),
    ("token", some(WORD, 24), "https://example.com/cb?access_token={}&state=1"),
    ("token", some(HEX, 32), "TWILIO_AUTH_TOKEN={}"),
    ("token", some(WORD, 20), "The token is {}"),
    ("private key", block(f"RSA {PRIVATE}"), "my key:\n{}\nthanks a lot"),
    ("private key", block(PRIVATE), "{}"),
    ("private key", block(f"EC {PRIVATE}", 1), "{}"),
    ("private key", block(f"OPENSSH {PRIVATE}"), "cat id_ed25519\n{}\n$ ls"),
    ("private key", block(f"PGP {PRIVATE} BLOCK", headers="Version: GnuPG v2\n\n"), "{}"),
    (
        "private key",
        block(f"RSA {PRIVATE}", headers="Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00FF\n\n"),
        "{}",
    ),
    ("private key", block(PRIVATE).replace("\n", "\\n"), '"private_key": "{}\\n", "client": 1'),
    ("private key", block(PRIVATE).replace("\n", "\n    "), "key: |\n    {}\nnext: 1"),
    ("private key", block(PRIVATE).replace("\n", " "), "{}"),
    ("private key", block(f"RSA {PRIVATE}", is_ended=False), "cut short: {}"),
    ("private key", block(f"OPENSSH {PRIVATE}", is_ended=False), "{}\nplease keep it safe"),
    (
        "private key",
        f"Private-Lines: 1\n{some(BASE64, 48)}",
        "PuTTY-User-Key-File-3: ssh-ed25519\n{}\nthanks a lot",
    ),
]

SECRETS = [(kind, secret, line.format(secret)) for kind, secret, line in _ONE_LINE]

INNOCENT = [
    "My name is Ada and I prefer metric units.",
    "my password is secret",
    "the password is in the safe",
    "Mein Passwort ist der Name meiner Katze.",
    "password: required",
    "The password must contain 8 to 20 characters and one digit.",
    "password: str | None = None",
    "password = form.cleaned_data['password1']",
    "password = request.form.password2",
    "password=new_password2",
    "password = make_password8(length)",
    "PASSWORD=$DB_PASSWORD",
    "PASSWORD=${DB_PASSWORD:-x1}",
    "password: <your-password-1>",
    "password: changeme123",
    "DATABASE_URL=postgres://user:password@localhost:5432/hermes",
    "postgres://user:$PGPASSWORD@localhost/hermes",
    "redis://localhost:6379/0",
    "https://example.com:8443/path?x=1@2",
    "ssh://git@github.com:22/a/b.git and git@github.com:a/b.git",
    "mail me at ada@example.com: I read it daily",
    "PWD=/home/ada/projects/x1",
    "pwd: /srv/app2",
    "token: 5",
    "max_tokens: 4096",
    "tokens: 1234567890123456",
    "The token is stored in localStorage.",
    "token = SomeVeryLongClassNameForTokens",
    "tokenizer: cl100k_base",
    "token: claude-3-5-sonnet-20241022",
    "next token: 20261115_204231_a1b2c3",
    "token: 0195c2b1-7c3e-7a41-8f62-3d1b9e0c5a77",
    "secret: prod-db-creds-2024-v2",
    "The secret ingredient is cinnamon.",
    "secret santa: Ada draws Grace",
    "secret: /run/secrets/db_password_2024",
    "api_key: your-api-key-goes-here-1234567890",
    "api_key = os.environ['OPENAI_API_KEY_2']",
    "apiKey: process.env.OPENAI_API_KEY_V2_PRODUCTION",
    "API key: see the vault, entry prod/openai-key-2024",
    "access key: the letter k with alt and shift",
    "store API keys in environment variables",
    "OPENAI_API_KEY=sk-...",
    "OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxx",
    "pip install scikit-learn  # also known as sk-learn",
    "sk-learn-contrib-examples-and-tutorials-2",
    "task-runner-for-long-running-jobs-v2",
    "disk-usage-report-2026-04-14-final-version",
    "commit 3f786850e387550fdae836ed7e6dc881de23001b",
    "see 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "session 20261115_204231_a1b2c3 of Tuesday",
    "uid 0195c2b1-7c3e-7a41-8f62-3d1b9e0c5a77",
    "md5 d41d8cd98f00b204e9800998ecf8427e",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "integrity sha512-" + some(BASE64, 86) + "==",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + some(BASE64, 43) + " ada@laptop",
    "-----BEGIN PUBLIC KEY-----\n" + some(BASE64, 64) + "\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\n" + some(BASE64, 64) + "\n-----END CERTIFICATE-----",
    f"A PEM file begins with -----BEGIN RSA {PRIVATE}----- and then base64.",
    f"from -----BEGIN {PRIVATE}----- to -----END {PRIVATE}----- inclusive",
    "The price is $1,299.00, or 1.199,00 € in Germany.",
    "Call +49 30 1234567 or 555-0100 after 17:30.",
    "at 12:34:56 the disk was 98% full: 1234567890 bytes",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "The Authorization: Bearer scheme is described in RFC 6750.",
    "bearer of good news, and a bearer-authentication-middleware",
    "basic training starts in September",
    "a basic understanding of vectors",
    "eyJ is how the base64 of a JSON object begins",
    "eyJhbGciOiJ.example.com",
    f"{encoded({'name': 'Ada'})}.{encoded({'x': 1})}.{some(URL64, 43)}",
    "MTAw.example.com and NDIw.txt",
    "AKIA is the prefix of access keys",
    "ASIA and SLOVAKIA are places",
    "SKU AC1234 and SK42",
    "hf_hub_download(repo_id, filename)",
    "npm_config_registry and npm_lifecycle_event",
    "the branch ghp_cleanup",
    "xoxo, Ada",
    "xox-and-hugs-from-all-of-us-here",
    "glpat-rotation-runbook-for-the-operations-team",
    "sk_test_mode is on",
    "AIzawa is a name",
    "SG.yaml, SG.json and SG.toml",
    "age-secret-key-rotation",
    "pypi-agenda-for-the-next-release-of-the-packaging-tools",
    "/usr/lib/python3.11/site-packages/cryptography/hazmat/bindings/_rust.abi3.so",
    "https://docs.example.com/guides/api-keys#rotating-your-secret-keys-2024",
    "Die Schlüsselübergabe ist am 3. Mai um 14:30 Uhr in der Hauptstraße 12.",
    "我的密码是我女儿的生日",
    "Le mot de passe est dans le coffre.",
    "[redacted: OpenAI key] and password: [redacted: password]",
]
