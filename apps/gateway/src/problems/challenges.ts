const REALM = 'bearing'
const BASIC = `Basic realm="${REALM}", charset="UTF-8"`

/** One challenge per scheme (RFC 9110 §11.6.1): what to send instead. A bad token is told as RFC 6750 §3.1 has it. */
export const CHALLENGES = {
  missing: [`Bearer realm="${REALM}"`, BASIC],
  refused: [`Bearer realm="${REALM}", error="invalid_token"`, BASIC],
} as const
