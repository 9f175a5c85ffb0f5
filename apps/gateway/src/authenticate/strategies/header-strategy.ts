import { Strategy } from 'passport-strategy'
import type { CredentialRequest } from './credential-request.js'

type Headers = CredentialRequest['headers']
type Verified = (error: unknown, caller?: object | false | null) => void

/** A Passport strategy for credentials that no package reads. */
export class HeaderStrategy extends Strategy {
  /**
   * @param extract reads the credential from the headers; undefined if there is none
   * @param verify receives the request, the credential, and the callback to report the caller or an error to
   */
  constructor(
    private readonly extract: (headers: Headers) => string | undefined,
    private readonly verify: (request: CredentialRequest, credential: string, verified: Verified) => void,
  ) {
    super()
  }

  override authenticate(request: unknown): void {
    const { headers } = request as CredentialRequest // typed for Express; Passport passes on what it is called with
    const credential = this.extract(headers)
    if (credential === undefined) {
      this.fail(401)
      return
    }
    this.verify(request as CredentialRequest, credential, (error, caller) => {
      if (error)
        this.error(error as Error) // Passport's type; it passes the value on
      else if (caller) this.success(caller)
      else this.fail(401)
    })
  }
}
