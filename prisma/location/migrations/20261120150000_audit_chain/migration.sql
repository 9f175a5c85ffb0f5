-- What every column means: prisma/location/schema.prisma.

CREATE TABLE "audit_handover" (
    "id" UUID NOT NULL,
    CONSTRAINT "audit_handover_pkey" PRIMARY KEY ("id")
);

-- A trigger, so that no row can be written without being handed over: not by services from before either.
CREATE FUNCTION "hand_over_audit"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO audit_handover (id) VALUES (NEW.id);
    RETURN NULL;
END
$$;
CREATE TRIGGER "audit_log_handover" AFTER INSERT ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "hand_over_audit"();

-- What was written so far is handed over too.
INSERT INTO "audit_handover" ("id") SELECT "id" FROM "audit_log";
