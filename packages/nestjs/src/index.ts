// The public API of `@bearing/nestjs`.

export { BearingModule } from './bearing.module.js'
export { Caller, Requires } from './decorators.js'
export { BearingGuard, ClaimsGuard } from './guards.js'
export { BearingHealth } from './health.js'
export type { AsyncBearingOptions, BearingOptions, JwksMode, NatsMode, Scope } from './options.js'
export { ProblemFilter } from './problem-filter.js'
export type { BearingRequest } from './request.js'
export { IdentityClient } from '@bearing/client-nats/identity-client'
export { OperationError, type ErrorCode } from '@bearing/contracts/errors'
export type { Permission } from '@bearing/contracts/permission'
export type { Principal } from '@bearing/contracts/principal'
