import { decide, refuse, type WhyNot } from '@bearing/access/decide'
import { PERMISSION_SCOPE } from '@bearing/access/roles'
import { ClaimsVerifier } from '@bearing/client-nats/claims-verifier'
import { OperationError } from '@bearing/contracts/errors'
import { authorizeCredential, type Decision } from '@bearing/contracts/identity/credentials/credential'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { isForeignProject, projectNotFound } from '../organizations/project-members/project-scope.js'
import { IntrospectionCache } from './introspection-cache.js'

type Question = Input<typeof authorizeCredential>
type PresentedClaims = Extract<Question['credential'], { kind: 'claims' }>

@Controller()
export class AuthorizeCredential {
  constructor(
    private readonly database: Database,
    private readonly cache: IntrospectionCache,
    private readonly claims: ClaimsVerifier,
    private readonly clock: Clock,
  ) {}

  @Handle(authorizeCredential)
  async execute(input: Question): Promise<Output<typeof authorizeCredential>> {
    const { credential, client_address: address, ...wanted } = input
    const holder = await this.holderOf(credential)
    if (typeof holder === 'string') return refuse(holder)
    const from = credential.kind === 'claims' && address === undefined ? 'checked' : { address }
    const decision = decide(holder, wanted, { nowMs: this.clock.nowMs(), from })
    const isOnProject = PERMISSION_SCOPE[wanted.permission] === 'project'
    return decision.allowed && isOnProject ? this.unlessForeign(wanted, decision) : decision
  }

  /** Only here is the project compared with the organization: a principal contains only what it reaches. */
  private async unlessForeign(
    { organization_id, project_id }: Pick<Question, 'organization_id' | 'project_id'>,
    decision: Decision,
  ): Promise<Decision> {
    const isOwn =
      organization_id !== undefined &&
      project_id !== undefined &&
      !(await isForeignProject(this.database, { organization_id, project_id }))
    if (isOwn) return decision
    return { allowed: false, code: 'project_not_found', reason: projectNotFound().message }
  }

  private async holderOf(credential: Question['credential']): Promise<Principal | WhyNot> {
    if (credential.kind === 'claims') return this.holderOfClaims(credential)
    const result = await this.cache.introspect(credential, false)
    return result.active ? result.principal : (result.because ?? result.reason)
  }

  private async holderOfClaims({ claims, audience }: PresentedClaims): Promise<Principal | 'unknown'> {
    try {
      return await this.claims.verify(claims, [audience])
    } catch (error) {
      if (error instanceof OperationError && error.code === 'credential_invalid') return 'unknown'
      throw error
    }
  }
}
