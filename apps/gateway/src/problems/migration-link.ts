/** The page about replacing legacy location tokens. */
const MIGRATION_PAGE = '/docs/legacy-tokens'
/** Relation types of RFC 9745 §3 and RFC 8594 §6. The reference is relative, so it is right behind any host name. */
export const MIGRATION_LINK = `<${MIGRATION_PAGE}>; rel="deprecation sunset"; type="text/plain"`
