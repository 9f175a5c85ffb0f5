-- CreateTable
CREATE TABLE "uploads" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "max_bytes" BIGINT NOT NULL,
    "size" BIGINT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "object_id" UUID,
    "file_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stored_objects" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "storage" TEXT NOT NULL,
    "parts" BIGINT[],
    "gzip" BOOLEAN NOT NULL DEFAULT false,
    "size" BIGINT,
    "md5" TEXT,
    "sha256" TEXT,
    "sent_size" BIGINT,
    "sent_md5" TEXT,
    "kept" TEXT,
    "leaving" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stored_objects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "files" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "object_id" UUID NOT NULL,
    "name" TEXT,
    "device_serial" TEXT,
    "attributes" JSONB NOT NULL,
    "meaning" TEXT NOT NULL,
    "gnu_build_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "uploads_created_at_idx" ON "uploads"("created_at");

-- CreateIndex
CREATE INDEX "stored_objects_kept_created_at_idx" ON "stored_objects"("kept", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "stored_objects_project_id_kept_key" ON "stored_objects"("project_id", "kept");

-- CreateIndex
CREATE INDEX "files_project_id_kind_id_idx" ON "files"("project_id", "kind", "id");

-- CreateIndex
CREATE INDEX "files_project_id_gnu_build_id_idx" ON "files"("project_id", "gnu_build_id");

-- CreateIndex
CREATE INDEX "files_project_id_device_serial_idx" ON "files"("project_id", "device_serial");

-- CreateIndex
CREATE INDEX "files_object_id_idx" ON "files"("object_id");

-- CreateIndex
CREATE UNIQUE INDEX "files_project_id_kind_object_id_key" ON "files"("project_id", "kind", "object_id");

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_object_id_fkey" FOREIGN KEY ("object_id") REFERENCES "stored_objects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
