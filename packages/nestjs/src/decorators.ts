import type { Permission } from '@bearing/contracts/permission'
import type { Principal } from '@bearing/contracts/principal'
import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { requestOf } from './request.js'

/** Names permissions that a caller needs, all of them: `@Requires(['device:read'])`, on a handler or a controller. */
export const Requires = Reflector.createDecorator<Permission | readonly Permission[]>()

/** The authenticated caller, as a parameter of a handler. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => (requestOf(context) as { user?: Principal }).user,
)
