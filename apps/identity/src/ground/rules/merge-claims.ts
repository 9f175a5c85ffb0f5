import { Email } from '@bearing/contracts/primitives'

type Claims = Readonly<Record<string, unknown>>

/**
 * Adds claims of the userinfo endpoint to those of an ID token, which take precedence. A provider verified the email address beside
 * which it says so: `email_verified` of the userinfo endpoint counts for an ID token without one only if both name the same address.
 */
export function mergeClaims(idToken: Claims, userinfo: Claims): Claims {
  const { email, email_verified } =
    idToken['email'] === undefined ? userinfo : { ...verificationOf(idToken, userinfo), ...idToken }
  return { ...userinfo, ...idToken, email, email_verified }
}

function verificationOf({ email }: Claims, { email: same, email_verified }: Claims): Claims {
  const [{ data: one }, { data: other }] = [Email.safeParse(email), Email.safeParse(same)]
  return one !== undefined && one === other ? { email_verified } : {}
}
