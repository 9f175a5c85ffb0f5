CREATE INDEX CONCURRENTLY "organization_tokens_expires_at_idx" ON organization_tokens (expires_at)
    WHERE cardinality(ancestors) > 0;
