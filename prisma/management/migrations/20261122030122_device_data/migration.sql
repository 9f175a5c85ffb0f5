-- What every column means: prisma/management/schema.prisma.

-- CreateTable
CREATE TABLE "devices" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "serial" TEXT NOT NULL,
    "hardware_version" TEXT,
    "software_type" TEXT,
    "software_version" TEXT,
    "first_seen_at" TIMESTAMPTZ(3),
    "last_seen_at" TIMESTAMPTZ(3),
    "chunk_count" BIGINT NOT NULL DEFAULT 0,
    "chunk_bytes" BIGINT NOT NULL DEFAULT 0,
    "registered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "devices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "chunks" (
    "id" UUID NOT NULL,
    "device_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "stream_started_at" TIMESTAMPTZ(3) NOT NULL,
    "sequence" BIGINT NOT NULL,
    "part" SMALLINT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "size" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "chunks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "device_deletions" (
    "project_id" UUID NOT NULL,
    "serial" TEXT NOT NULL,
    "stream_started_at" TIMESTAMPTZ(3) NOT NULL,
    "sequence" BIGINT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "device_deletions_pkey" PRIMARY KEY ("project_id","serial")
);

-- CreateTable
CREATE TABLE "data_policies" (
    "project_id" UUID NOT NULL,
    "bytes_per_day" BIGINT,
    "requests_per_minute" INTEGER,
    "device_requests_per_minute" INTEGER,
    "retention_days" INTEGER,
    "known_devices_only" BOOLEAN NOT NULL DEFAULT false,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "data_policies_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "project_usage" (
    "project_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "project_usage_pkey" PRIMARY KEY ("project_id","day")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "devices_project_id_serial_key" ON "devices"("project_id", "serial");

-- CreateIndex
CREATE INDEX "chunks_device_id_stream_started_at_sequence_part_idx" ON "chunks"("device_id", "stream_started_at", "sequence", "part");

-- CreateIndex
CREATE INDEX "chunks_project_id_received_at_idx" ON "chunks"("project_id", "received_at");

-- AddForeignKey
ALTER TABLE "devices" ADD CONSTRAINT "devices_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chunks" ADD CONSTRAINT "chunks_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_policies" ADD CONSTRAINT "data_policies_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_usage" ADD CONSTRAINT "project_usage_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What devices send is packed already: trying to compress it would cost time and save nothing.
ALTER TABLE "chunks" ALTER COLUMN "data" SET STORAGE EXTERNAL;
