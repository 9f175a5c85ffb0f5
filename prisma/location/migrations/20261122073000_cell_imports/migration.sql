-- Cells are imported as access points are (prisma/location/schema.prisma).
ALTER TABLE "imports" DROP CONSTRAINT "imports_content_known";
ALTER TABLE "imports" ADD CONSTRAINT "imports_content_known" CHECK ("content" IN ('observations', 'positions', 'cells'));
