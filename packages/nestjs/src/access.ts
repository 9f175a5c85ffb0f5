import { decide, type Wanted } from '@bearing/access/decide'
import { PERMISSION_SCOPE } from '@bearing/access/roles'
import type { IdentityClient } from '@bearing/client-nats/identity-client'
import type { Permission } from '@bearing/contracts/permission'
import type { Principal } from '@bearing/contracts/principal'
import type { ExecutionContext } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { claimsIn, credentialIn } from './credentials.js'
import { Requires } from './decorators.js'
import type { BearingOptions, Scope } from './options.js'
import { requestOf, type BearingRequest } from './request.js'
import { refused } from './strategies.js'
import type { Verifier } from './verifier.js'

/** Decides whether an authenticated caller may call a handler. */
export class Access {
  private readonly reflector = new Reflector()

  constructor(
    private readonly options: BearingOptions,
    private readonly verifier: Verifier,
    private readonly identity: IdentityClient | undefined,
  ) {}

  /** @throws OperationError if the caller lacks a permission that the handler requires; with status 503 if that cannot be verified */
  async require(context: ExecutionContext, caller: Principal): Promise<void> {
    const targets = [context.getHandler(), context.getClass()]
    const permissions = this.reflector.getAllAndMerge(Requires, targets).flat()
    const request = requestOf(context)
    for (const permission of permissions) {
      const decision = await this.decide(request, caller, this.wanted(permission, request))
      if (!decision.allowed) throw refused(decision, credentialIn(request))
    }
  }

  private async decide(request: BearingRequest, caller: Principal, wanted: Wanted) {
    const claims = claimsIn(request)
    const { audience } = this.verifier
    const credential =
      claims === undefined ? credentialIn(request) : { kind: 'claims' as const, claims, audience }
    if (this.identity && credential)
      return this.identity.authorize({ ...wanted, credential, client_address: request.ip })
    return decide(caller, wanted, { nowMs: Date.now(), from: 'checked' })
  }

  /** Permissions on an organization take its id, those on a project both. */
  private wanted(permission: Permission, request: BearingRequest): Wanted {
    const { organization_id, project_id } = (this.options.scope ?? scopeOf)(request)
    const on = PERMISSION_SCOPE[permission]
    return {
      permission,
      ...((on === 'organization' || on === 'project') && { organization_id }),
      ...(on === 'project' && { project_id }),
    }
  }
}

function scopeOf({ params, message }: BearingRequest): Scope {
  const { organization_id, project_id } = { ...(message as object | undefined), ...params } as Record<
    string,
    unknown
  >
  const id = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return { organization_id: id(organization_id), project_id: id(project_id) }
}
