import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import type { Caller } from '../../ground/route-config.js'
import { Authenticator } from '../authenticator.js'
import type { CredentialRequest } from './credential-request.js'
import { HeaderStrategy } from './header-strategy.js'

/** The one name here, whichever of the configured names the key came under. */
const HEADER = 'project-key'

/** Encodes a project key as the header that {@link ProjectKeyStrategy} reads. */
export function projectKeyHeader(key: string): CredentialRequest['headers'] {
  return { [HEADER]: key }
}

/** Authenticates project keys. */
@Injectable()
export class ProjectKeyStrategy extends PassportStrategy(HeaderStrategy, 'project_key') {
  constructor(private readonly authenticator: Authenticator) {
    super(({ [HEADER]: key }: CredentialRequest['headers']) => key)
  }

  validate({ askedFor }: CredentialRequest, key: string): Promise<Caller> {
    return this.authenticator.introspect({ kind: 'project_key', key }, askedFor)
  }
}
