CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE schema_version (
	version INTEGER NOT NULL
);

CREATE TABLE store_meta (
	key TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (key)
);

CREATE TABLE system_prompts (
	hash TEXT NOT NULL,
	prompt TEXT NOT NULL,
	PRIMARY KEY (hash)
);

CREATE TABLE sessions (
	id TEXT NOT NULL,
	uid UUID NOT NULL,
	source TEXT NOT NULL,
	user_id TEXT,
	model TEXT,
	model_config TEXT,
	system_prompt_hash TEXT,
	parent_session_id TEXT,
	parent_kind TEXT,
	started_at BIGINT NOT NULL,
	ended_at BIGINT,
	end_reason TEXT,
	last_active_at BIGINT NOT NULL,
	title TEXT,
	title_source TEXT,
	folder TEXT,
	message_count BIGINT DEFAULT '0' NOT NULL,
	tool_call_count BIGINT DEFAULT '0' NOT NULL,
	input_tokens BIGINT DEFAULT '0' NOT NULL,
	output_tokens BIGINT DEFAULT '0' NOT NULL,
	cache_read_tokens BIGINT DEFAULT '0' NOT NULL,
	cache_write_tokens BIGINT DEFAULT '0' NOT NULL,
	reasoning_tokens BIGINT DEFAULT '0' NOT NULL,
	is_archived BOOLEAN DEFAULT false NOT NULL,
	is_pinned BOOLEAN DEFAULT false NOT NULL,
	metadata TEXT,
	PRIMARY KEY (id),
	UNIQUE (uid),
	FOREIGN KEY(system_prompt_hash) REFERENCES system_prompts (hash),
	FOREIGN KEY(parent_session_id) REFERENCES sessions (id) ON DELETE SET NULL
);

CREATE INDEX sessions_by_activity ON sessions (last_active_at);

CREATE INDEX sessions_by_parent ON sessions (parent_session_id);

CREATE UNIQUE INDEX sessions_by_title ON sessions (title);

CREATE TABLE messages (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	session_id TEXT NOT NULL,
	role TEXT NOT NULL,
	content TEXT,
	said_at BIGINT NOT NULL,
	source_class TEXT NOT NULL,
	state TEXT DEFAULT 'live' NOT NULL,
	is_summary BOOLEAN DEFAULT false NOT NULL,
	is_cut BOOLEAN DEFAULT false NOT NULL,
	tool_calls TEXT,
	tool_call_id TEXT,
	tool_name TEXT,
	token_count INTEGER,
	finish_reason TEXT,
	reasoning TEXT,
	model TEXT,
	sent TEXT,
	attachments TEXT,
	metadata TEXT,
	PRIMARY KEY (id),
	UNIQUE (uid),
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);

CREATE INDEX messages_by_session ON messages (session_id, id);

CREATE TABLE messages_fts (id bigint PRIMARY KEY, words tsvector NOT NULL, word_count integer NOT NULL);

CREATE TABLE tools_fts (id bigint PRIMARY KEY, words tsvector NOT NULL, word_count integer NOT NULL);

CREATE TABLE identifiers_fts (id bigint PRIMARY KEY, trigrams text[] NOT NULL);

CREATE INDEX messages_fts_words ON messages_fts USING gin (words);

CREATE INDEX tools_fts_words ON tools_fts USING gin (words);

CREATE INDEX identifiers_fts_trigrams ON identifiers_fts USING gin (trigrams);

INSERT INTO alembic_version (version_num) VALUES ('101') RETURNING alembic_version.version_num;

CREATE TABLE jobs (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	kind TEXT NOT NULL,
	key TEXT NOT NULL,
	payload TEXT NOT NULL,
	state TEXT NOT NULL,
	attempts INTEGER DEFAULT '0' NOT NULL,
	max_attempts INTEGER NOT NULL,
	due_at BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	lease_until BIGINT,
	leased_by TEXT,
	finished_at BIGINT,
	reason TEXT,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

CREATE UNIQUE INDEX jobs_waiting_once ON jobs (key) WHERE state = 'waiting';

CREATE UNIQUE INDEX jobs_running_once ON jobs (key) WHERE state = 'running';

CREATE INDEX jobs_by_due ON jobs (state, due_at);

CREATE TABLE journal (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	at BIGINT NOT NULL,
	kind TEXT NOT NULL,
	subject TEXT NOT NULL,
	text TEXT NOT NULL,
	actor TEXT NOT NULL,
	cause TEXT,
	before TEXT,
	after TEXT,
	session_id TEXT,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

CREATE INDEX journal_by_subject ON journal (subject);

UPDATE alembic_version SET version_num='102' WHERE alembic_version.version_num = '101';

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;

CREATE TABLE vectors (
	fingerprint TEXT NOT NULL,
	item UUID NOT NULL,
	vector halfvec NOT NULL,
	PRIMARY KEY (fingerprint, item)
);

UPDATE alembic_version SET version_num='103' WHERE alembic_version.version_num = '102';

CREATE TABLE note_versions (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	note TEXT NOT NULL,
	at BIGINT NOT NULL,
	state TEXT NOT NULL,
	hash TEXT NOT NULL,
	text TEXT NOT NULL,
	entry UUID,
	undoes UUID,
	grounds TEXT,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

CREATE INDEX note_versions_by_note ON note_versions (note, id);

UPDATE alembic_version SET version_num='104' WHERE alembic_version.version_num = '103';

ALTER TABLE messages ADD COLUMN speaker TEXT;

ALTER TABLE jobs ADD COLUMN progress TEXT;

CREATE TABLE episodes (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	session_id TEXT NOT NULL,
	first_message BIGINT NOT NULL,
	last_message BIGINT NOT NULL,
	said_at BIGINT NOT NULL,
	ended_at BIGINT NOT NULL,
	task TEXT,
	source TEXT NOT NULL,
	state TEXT NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (uid),
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);

CREATE INDEX episodes_by_session ON episodes (session_id, first_message);

CREATE UNIQUE INDEX episodes_by_message ON episodes (first_message);

CREATE INDEX episodes_by_time ON episodes (said_at);

CREATE TABLE sketches (
	message_id BIGINT NOT NULL,
	episode_id BIGINT NOT NULL,
	session_id TEXT NOT NULL,
	version INTEGER NOT NULL,
	role TEXT NOT NULL,
	speaker TEXT,
	said_at BIGINT NOT NULL,
	marks INTEGER NOT NULL,
	stems BYTEA NOT NULL,
	cuts BYTEA NOT NULL,
	words TEXT NOT NULL,
	days BYTEA NOT NULL,
	gist BYTEA,
	PRIMARY KEY (message_id),
	FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);

CREATE INDEX sketches_by_episode ON sketches (episode_id);

CREATE INDEX sketches_by_session ON sketches (session_id, message_id);

CREATE TABLE facts (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	text TEXT NOT NULL,
	subject TEXT,
	attribute TEXT,
	value TEXT,
	confidence FLOAT NOT NULL,
	confidence_reason TEXT NOT NULL,
	source_class TEXT NOT NULL,
	source_message UUID,
	span_start INTEGER,
	span_end INTEGER,
	source_entry UUID,
	said_at BIGINT NOT NULL,
	learned_at BIGINT NOT NULL,
	valid_from BIGINT,
	valid_to BIGINT,
	supersedes UUID,
	corroborations INTEGER DEFAULT '0' NOT NULL,
	state TEXT NOT NULL,
	ended_at BIGINT,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

CREATE INDEX facts_by_state ON facts (state, id);

CREATE INDEX facts_by_slot ON facts (subject, attribute);

CREATE INDEX facts_by_message ON facts (source_message);

CREATE TABLE entities (
	id BIGSERIAL NOT NULL,
	key TEXT NOT NULL,
	name TEXT NOT NULL,
	kind TEXT NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (key)
);

CREATE TABLE entity_links (
	entity_id BIGINT NOT NULL,
	kind TEXT NOT NULL,
	item BIGINT NOT NULL,
	PRIMARY KEY (entity_id, kind, item),
	FOREIGN KEY(entity_id) REFERENCES entities (id) ON DELETE CASCADE
);

CREATE INDEX entity_links_by_item ON entity_links (kind, item);

CREATE TABLE entity_aliases (
	alias TEXT NOT NULL,
	entity_id BIGINT NOT NULL,
	PRIMARY KEY (alias, entity_id),
	FOREIGN KEY(entity_id) REFERENCES entities (id) ON DELETE CASCADE
);

CREATE INDEX entity_aliases_by_entity ON entity_aliases (entity_id);

DROP TABLE vectors;

CREATE TABLE fingerprints (
	id BIGSERIAL NOT NULL,
	name TEXT NOT NULL,
	dimensions INTEGER NOT NULL,
	made_at BIGINT NOT NULL,
	is_complete BOOLEAN DEFAULT false NOT NULL,
	trouble TEXT,
	trouble_at BIGINT,
	PRIMARY KEY (id),
	UNIQUE (name)
);

CREATE TABLE vectors (
	id BIGSERIAL NOT NULL,
	fingerprint_id BIGINT NOT NULL,
	kind TEXT NOT NULL,
	item BIGINT NOT NULL,
	vector halfvec NOT NULL,
	PRIMARY KEY (id),
	CONSTRAINT vectors_by_item UNIQUE (fingerprint_id, kind, item),
	FOREIGN KEY(fingerprint_id) REFERENCES fingerprints (id) ON DELETE CASCADE
);

CREATE TABLE passages (
	message_id BIGINT NOT NULL,
	fingerprint_id BIGINT NOT NULL,
	vectors BYTEA NOT NULL,
	PRIMARY KEY (message_id, fingerprint_id),
	FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE,
	FOREIGN KEY(fingerprint_id) REFERENCES fingerprints (id) ON DELETE CASCADE
);

CREATE TABLE selftests (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	at BIGINT NOT NULL,
	cause TEXT NOT NULL,
	fingerprint TEXT,
	questions INTEGER NOT NULL,
	results TEXT NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

CREATE TABLE facts_fts (id bigint PRIMARY KEY, words tsvector NOT NULL, word_count integer NOT NULL);

CREATE INDEX facts_fts_words ON facts_fts USING gin (words);

UPDATE alembic_version SET version_num='105' WHERE alembic_version.version_num = '104';

ALTER TABLE facts ADD COLUMN polarity TEXT DEFAULT 'is' NOT NULL;

ALTER TABLE facts ADD COLUMN is_pinned BOOLEAN DEFAULT false NOT NULL;

ALTER TABLE facts DROP COLUMN supersedes;

ALTER TABLE facts ADD COLUMN superseded_by UUID;

CREATE INDEX facts_by_replacement ON facts (superseded_by);

ALTER TABLE note_versions DROP COLUMN undoes;

ALTER TABLE sessions ADD COLUMN learned_to BIGINT DEFAULT '0' NOT NULL;

CREATE TABLE disputes (
	id BIGSERIAL NOT NULL,
	fact_id BIGINT NOT NULL,
	rival_id BIGINT NOT NULL,
	at BIGINT NOT NULL,
	reason TEXT NOT NULL,
	PRIMARY KEY (id),
	FOREIGN KEY(fact_id) REFERENCES facts (id) ON DELETE CASCADE,
	FOREIGN KEY(rival_id) REFERENCES facts (id) ON DELETE CASCADE
);

CREATE INDEX disputes_by_fact ON disputes (fact_id);

CREATE INDEX disputes_by_rival ON disputes (rival_id);

CREATE TABLE quarantine (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	kind TEXT NOT NULL,
	session_id TEXT NOT NULL,
	message_id BIGINT,
	target TEXT,
	text TEXT,
	source_class TEXT NOT NULL,
	reasons TEXT NOT NULL,
	at BIGINT NOT NULL,
	state TEXT NOT NULL,
	decided_at BIGINT,
	PRIMARY KEY (id),
	UNIQUE (uid),
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE,
	FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);

CREATE INDEX quarantine_by_message ON quarantine (message_id);

CREATE INDEX quarantine_by_session ON quarantine (session_id);

ALTER TABLE journal ADD COLUMN happened_at BIGINT;

CREATE INDEX journal_by_time ON journal (coalesce(happened_at, at), id);

CREATE INDEX journal_by_session ON journal (session_id);

UPDATE alembic_version SET version_num='106' WHERE alembic_version.version_num = '105';

ALTER TABLE sessions ADD COLUMN reflected_to BIGINT DEFAULT '0' NOT NULL;

UPDATE sessions SET reflected_to = coalesce((SELECT max(id) FROM messages WHERE messages.session_id = sessions.id), 0);

CREATE TABLE reflections (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	session_id TEXT NOT NULL,
	message_uid UUID NOT NULL,
	task TEXT NOT NULL,
	task_type TEXT NOT NULL,
	outcome TEXT NOT NULL,
	worked TEXT NOT NULL,
	differently TEXT NOT NULL,
	source_class TEXT NOT NULL,
	began_at BIGINT NOT NULL,
	ended_at BIGINT NOT NULL,
	written_by TEXT NOT NULL,
	made_at BIGINT NOT NULL,
	state TEXT NOT NULL,
	occurrences INTEGER DEFAULT '1' NOT NULL,
	gist BYTEA,
	PRIMARY KEY (id),
	UNIQUE (uid),
	FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE
);

CREATE INDEX reflections_by_session ON reflections (session_id);

CREATE INDEX reflections_by_message ON reflections (message_uid);

CREATE TABLE skills (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	skill TEXT NOT NULL,
	category TEXT,
	files TEXT NOT NULL,
	state TEXT NOT NULL,
	made_by TEXT NOT NULL,
	made_at BIGINT NOT NULL,
	changed_at BIGINT NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

CREATE UNIQUE INDEX skills_by_name ON skills (skill);

UPDATE alembic_version SET version_num='107' WHERE alembic_version.version_num = '106';

CREATE TABLE summaries (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	topic TEXT NOT NULL,
	lines TEXT NOT NULL,
	episode_count INTEGER NOT NULL,
	source TEXT NOT NULL,
	said_at BIGINT NOT NULL,
	ended_at BIGINT NOT NULL,
	written_by TEXT NOT NULL,
	made_at BIGINT NOT NULL,
	state TEXT NOT NULL,
	is_discarded BOOLEAN DEFAULT false NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

ALTER TABLE episodes ADD COLUMN summary_id BIGINT;

CREATE INDEX episodes_by_summary ON episodes (summary_id);

CREATE INDEX episodes_by_state ON episodes (state, said_at);

CREATE TABLE spending (
	id BIGSERIAL NOT NULL,
	at BIGINT NOT NULL,
	work TEXT NOT NULL,
	item TEXT,
	model TEXT,
	calls BIGINT DEFAULT '0' NOT NULL,
	input_tokens BIGINT DEFAULT '0' NOT NULL,
	output_tokens BIGINT DEFAULT '0' NOT NULL,
	milliseconds FLOAT DEFAULT '0' NOT NULL,
	saved_tokens BIGINT DEFAULT '0' NOT NULL,
	PRIMARY KEY (id)
);

CREATE INDEX spending_by_time ON spending (at);

ALTER TABLE skills ADD COLUMN used_count INTEGER DEFAULT '0' NOT NULL;

ALTER TABLE skills ADD COLUMN last_used_at BIGINT;

CREATE TABLE summaries_fts (id bigint PRIMARY KEY, words tsvector NOT NULL, word_count integer NOT NULL);

CREATE INDEX summaries_fts_words ON summaries_fts USING gin (words);

UPDATE alembic_version SET version_num='108' WHERE alembic_version.version_num = '107';

CREATE TABLE outlines (
	id BIGSERIAL NOT NULL,
	episode_id BIGINT NOT NULL,
	bits bit(256) NOT NULL,
	PRIMARY KEY (id),
	FOREIGN KEY(episode_id) REFERENCES episodes (id) ON DELETE CASCADE
);

INSERT INTO outlines (episode_id, bits) SELECT sketches.episode_id, CAST('x' || encode(substring(sketches.gist FROM 1 FOR 32), 'hex') AS bit(256)) FROM sketches JOIN episodes ON episodes.id = sketches.episode_id WHERE episodes.state = 'compressed' AND length(sketches.gist) BETWEEN 32 AND 224 AND CAST('x' || encode(substring(sketches.gist FROM 1 FOR 32), 'hex') AS bit(256)) <> CAST(0 AS bit(256)) ORDER BY sketches.message_id;

CREATE INDEX outlines_by_episode ON outlines (episode_id);

UPDATE alembic_version SET version_num='109' WHERE alembic_version.version_num = '108';

CREATE TABLE receipts (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	at BIGINT NOT NULL,
	state TEXT NOT NULL,
	asked TEXT NOT NULL,
	counts TEXT NOT NULL,
	key TEXT NOT NULL,
	runs TEXT NOT NULL,
	blocks TEXT NOT NULL,
	found TEXT NOT NULL,
	backups TEXT NOT NULL,
	lifted_at BIGINT,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

UPDATE alembic_version SET version_num='110' WHERE alembic_version.version_num = '109';

CREATE TABLE tokens (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	name TEXT NOT NULL,
	kind TEXT NOT NULL,
	scope TEXT NOT NULL,
	hash TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT,
	used_at BIGINT,
	revoked_at BIGINT,
	parent_id BIGINT,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

CREATE UNIQUE INDEX tokens_hash ON tokens (hash);

UPDATE alembic_version SET version_num='111' WHERE alembic_version.version_num = '110';

CREATE TABLE outbox (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	provider TEXT NOT NULL,
	kind TEXT NOT NULL,
	session_id TEXT,
	first UUID,
	last UUID,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

CREATE INDEX outbox_provider ON outbox (provider, id);

UPDATE alembic_version SET version_num='112' WHERE alembic_version.version_num = '111';

CREATE TABLE arrivals (
	id BIGSERIAL NOT NULL,
	uid UUID NOT NULL,
	platform TEXT NOT NULL,
	update_key TEXT NOT NULL,
	chat_key TEXT NOT NULL,
	position BIGINT NOT NULL,
	message_key TEXT,
	payload TEXT,
	state TEXT NOT NULL,
	reply TEXT,
	parts_sent INTEGER DEFAULT '0' NOT NULL,
	arrived_at BIGINT NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (uid)
);

CREATE UNIQUE INDEX arrivals_update ON arrivals (platform, update_key);

CREATE INDEX arrivals_chat ON arrivals (chat_key, state, position);

CREATE INDEX arrivals_state ON arrivals (state, platform);

CREATE TABLE chats (
	chat_key TEXT NOT NULL,
	platform TEXT NOT NULL,
	user_id TEXT NOT NULL,
	profile TEXT,
	session_id TEXT,
	place TEXT NOT NULL,
	heard_at BIGINT NOT NULL,
	told_at BIGINT,
	PRIMARY KEY (chat_key)
);

CREATE INDEX chats_session ON chats (session_id);

UPDATE alembic_version SET version_num='113' WHERE alembic_version.version_num = '112';

DELETE FROM schema_version;

INSERT INTO schema_version (version) VALUES (113)
