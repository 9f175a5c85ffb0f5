-- CreateIndex
CREATE INDEX "sso_domains_domain_idx" ON "sso_domains"("domain");
