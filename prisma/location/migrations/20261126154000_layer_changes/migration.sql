CREATE TABLE layer_changes (
    id bigserial NOT NULL,
    transaction bigint NOT NULL,
    organization_id uuid NOT NULL,
    bssids bigint[],
    changed_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT layer_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX layer_changes_transaction_idx ON layer_changes (transaction);
CREATE INDEX layer_changes_changed_at_idx ON layer_changes (changed_at);

-- Triggers, so that processes of the former version record changes as well. Imports and erasure change the sums of their layer.
CREATE FUNCTION record_layer_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'location'
    AS $$
BEGIN
    INSERT INTO layer_changes (transaction, organization_id, bssids, changed_at)
    VALUES (pg_current_xact_id()::text::bigint, coalesce(NEW.organization_id, OLD.organization_id), '{}', clock_timestamp());
    RETURN NULL;
END
$$;
CREATE TRIGGER record_change AFTER UPDATE OR DELETE ON layers
    FOR EACH ROW EXECUTE FUNCTION record_layer_change();

-- Access points of which nothing was learned before. Whatever was learned of the others is cached for a minute only.
CREATE FUNCTION record_learned_access_points() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'location'
    AS $$
BEGIN
    INSERT INTO layer_changes (transaction, organization_id, bssids, changed_at)
    SELECT pg_current_xact_id()::text::bigint, organization_id, array_agg(bssid), clock_timestamp()
    FROM arrived GROUP BY organization_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER record_learned AFTER INSERT ON learned_access_points
    REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION record_learned_access_points();
