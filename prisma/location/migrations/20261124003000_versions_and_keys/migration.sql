-- How often a tombstone was erased again, instead of the transaction that wrote it last.
ALTER TABLE forgotten_access_points ADD COLUMN version integer NOT NULL DEFAULT 0;
ALTER TABLE forgotten_cells ADD COLUMN version integer NOT NULL DEFAULT 0;

-- A trigger, so that processes of the former version count as well.
CREATE FUNCTION count_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version = OLD.version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER count_erasure BEFORE UPDATE OF swept_at ON forgotten_access_points
  FOR EACH ROW WHEN (NEW.swept_at IS NULL) EXECUTE FUNCTION count_erasure();
CREATE TRIGGER count_erasure BEFORE UPDATE OF swept_at ON forgotten_cells
  FOR EACH ROW WHEN (NEW.swept_at IS NULL) EXECUTE FUNCTION count_erasure();

-- Up to which key a table was read, instead of up to which block.
ALTER TABLE erased_tenants ADD COLUMN scanned_to bigint[];
