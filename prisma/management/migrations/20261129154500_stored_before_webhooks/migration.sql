-- What the project had stored in the hour in which a webhook was created, before it: the webhook does not receive that.

ALTER TABLE webhooks ADD COLUMN stored_before bigint DEFAULT 0 NOT NULL;
