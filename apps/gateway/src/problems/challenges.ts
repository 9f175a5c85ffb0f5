const REALM = 'bearing'
const BASIC = `Basic realm="${REALM}", charset="UTF-8"`

/** One challenge per scheme (RFC 9110 §11.6.1). A refused token has the error code of RFC 6750 §3.1. */
export const CHALLENGES = {
  missing: [`Bearer realm="${REALM}"`, BASIC],
  refused: [`Bearer realm="${REALM}", error="invalid_token"`, BASIC],
} as const
