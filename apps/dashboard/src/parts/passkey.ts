import type { CallInput } from '@bearing/client/call-types'
import { client } from '../ground/client.js'

type Assertion = NonNullable<CallInput<'startSession'>['passkey']>

/** Offers of a browser end before their challenge expires, in milliseconds. */
export const OFFER_MS = 240_000

/**
 * Asks the user for a passkey.
 *
 * @param offer the browser offers passkeys in the email field until it is aborted, and asks nothing
 * @throws Error if the user cancels, or has none here
 */
export async function signWithPasskey(offer?: AbortSignal): Promise<Assertion> {
  const { challenge, rp_id: rpId } = await client.call('challengePasskey', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    ...{ challenge, rpId, userVerification: 'required' },
  })
  const { id, response } = (await ask(
    navigator.credentials.get({ publicKey, ...(offer && { mediation: 'conditional', signal: offer }) }),
  )) as AuthenticationResponseJSON
  const { clientDataJSON, authenticatorData, signature } = response
  return { credential_id: id, client_data: clientDataJSON, authenticator_data: authenticatorData, signature }
}

/**
 * Creates a passkey, and returns what identity verifies.
 *
 * @throws as {@link signWithPasskey}
 */
export async function createPasskey(user: { readonly user_id: string; readonly email: string }) {
  const { challenge, rp_id: id } = await client.call('challengePasskey', {})
  const { data } = await client.call('listPasskeys', {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({
    challenge,
    rp: { id, name: 'Bearing' },
    user: { id: btoa(user.user_id).replaceAll('=', ''), name: user.email, displayName: user.email },
    // EdDSA, ES256, RS256.
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: data.map(({ credential_id }) => ({ type: 'public-key', id: credential_id })),
  })
  const { response } = (await ask(navigator.credentials.create({ publicKey }))) as RegistrationResponseJSON
  return { client_data: response.clientDataJSON, attestation_object: response.attestationObject }
}

/** Browsers do not say why: a site must not learn which passkeys exist. */
async function ask(answer: Promise<Credential | null>): Promise<unknown> {
  const credential = await answer.catch((cause: unknown) => {
    throw new Error('The browser used no passkey: it was canceled, took too long, or there is none here.', {
      cause,
    })
  })
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser returned no passkey.')
  return credential.toJSON()
}
