-- Up to where a webhook has what devices have sent. It begins with what is stored after it was created.

ALTER TABLE webhooks ADD COLUMN data_position bigint DEFAULT 0 NOT NULL,
    ADD COLUMN data_at timestamp(3) with time zone DEFAULT now() NOT NULL;
ALTER TABLE webhooks ALTER COLUMN data_position
    SET DEFAULT coalesce(pg_sequence_last_value('data_positions'::regclass), 0);
