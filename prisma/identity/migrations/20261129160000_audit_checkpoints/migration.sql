CREATE TABLE audit_checkpoints (
    chain uuid NOT NULL,
    size bigint NOT NULL,
    hash bytea NOT NULL,
    note text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    CONSTRAINT audit_checkpoints_pkey PRIMARY KEY (chain, size)
);

CREATE INDEX audit_checkpoints_at_idx ON audit_checkpoints (at);
