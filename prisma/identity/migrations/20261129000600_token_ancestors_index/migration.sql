CREATE INDEX CONCURRENTLY "organization_tokens_ancestors_idx" ON organization_tokens USING gin (ancestors);
