-- What every column means: prisma/location/schema.prisma.

CREATE TABLE "learned_cells" (
    "organization_id" UUID NOT NULL,
    "radio" SMALLINT NOT NULL,
    "mcc" SMALLINT NOT NULL,
    "mnc" SMALLINT NOT NULL,
    "area" INTEGER NOT NULL,
    "cell" BIGINT NOT NULL,
    "statistics" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "learned_cells_pkey" PRIMARY KEY ("organization_id", "radio", "mcc", "mnc", "area", "cell"),
    -- As of "cells".
    CONSTRAINT "learned_cells_radio_known" CHECK ("radio" BETWEEN 2 AND 5),
    CONSTRAINT "learned_cells_identity_in_range" CHECK ("mcc" BETWEEN 1 AND 999 AND "mnc" BETWEEN 0 AND 999 AND "area" BETWEEN 0 AND 16777215 AND "cell" BETWEEN 0 AND 68719476735)
-- Rows are changed again and again; with room in their page the index stays as it is.
) WITH (fillfactor = 70);
-- They are dense already: compressing them would cost more than it saves.
ALTER TABLE "learned_cells" ALTER COLUMN "statistics" SET STORAGE EXTERNAL;

CREATE TABLE "forgotten_cells" (
    "organization_id" UUID NOT NULL,
    "radio" SMALLINT NOT NULL,
    "mcc" SMALLINT NOT NULL,
    "mnc" SMALLINT NOT NULL,
    "area" INTEGER NOT NULL,
    "cell" BIGINT NOT NULL,
    "forgotten_at" TIMESTAMPTZ(3) NOT NULL,
    "swept_at" TIMESTAMPTZ(3),
    CONSTRAINT "forgotten_cells_pkey" PRIMARY KEY ("organization_id", "radio", "mcc", "mnc", "area", "cell"),
    CONSTRAINT "forgotten_cells_radio_known" CHECK ("radio" BETWEEN 2 AND 5),
    CONSTRAINT "forgotten_cells_identity_in_range" CHECK ("mcc" BETWEEN 1 AND 999 AND "mnc" BETWEEN 0 AND 999 AND "area" BETWEEN 0 AND 16777215 AND "cell" BETWEEN 0 AND 68719476735)
);
CREATE INDEX "forgotten_cells_swept_at_idx" ON "forgotten_cells"("swept_at");
