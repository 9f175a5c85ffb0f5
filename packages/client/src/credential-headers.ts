import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { withoutLineEnd } from '@bearing/contracts/text/without-line-end'
import type { ClientCredential, LoginCredential } from './client-options.js'
import { UnusableInputError } from './errors.js'

/** The header a project key is sent in. Gateways accept it whatever further names they are configured with. */
const PROJECT_KEY_HEADER = 'Service-Project-Key'

/**
 * The headers that a credential is sent in. A line break at its end is not a part of it: it comes from a file or `echo`.
 *
 * @throws UnusableInputError where a header cannot carry it. Checked here because `fetch` would put the whole header,
 *   secret included, into the message of its own error.
 */
export function credentialHeaders(credential: ClientCredential | LoginCredential): Record<string, string> {
  switch (credential.kind) {
    case ORGANIZATION_TOKEN:
      return { authorization: `Bearer ${visibleAscii(credential.token, 'organization token')}` }
    case 'legacy_token':
      return { authorization: `Bearer ${visibleAscii(credential.token, 'legacy token')}` }
    case 'login':
      return { authorization: `Bearer ${visibleAscii(credential.token, 'token of the login')}` }
    case 'user': {
      const [email, secret] = [withoutLineEnd(credential.email), withoutLineEnd(credential.secret)]
      if (/[:\p{Cc}]/u.test(email))
        throw new UnusableInputError('The e-mail address has a character that cannot be sent, such as ":".')
      return { authorization: `Basic ${base64(`${email}:${secret}`)}` }
    }
    case 'device_token': {
      const { token, project_key: key } = credential
      return {
        authorization: `Bearer ${visibleAscii(token, 'device token')}`,
        ...(key !== undefined && { [PROJECT_KEY_HEADER]: visibleAscii(key, 'project key') }),
      }
    }
    case 'project_key':
      return { [PROJECT_KEY_HEADER]: visibleAscii(credential.key, 'project key') }
  }
}

function visibleAscii(given: string, what: string): string {
  const text = withoutLineEnd(given)
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new UnusableInputError(
      `The ${what} is empty or has a space or another character that none can have.`,
    )
  return text
}

/** UTF-8, then base 64 (RFC 7617 with charset="UTF-8"). `btoa` because it is in browsers as well as in Node. */
function base64(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}
