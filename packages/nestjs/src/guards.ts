import { OperationError } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'
import { Injectable, type ExecutionContext } from '@nestjs/common'
import { AuthGuard } from '@nestjs/passport'
import { Access } from './access.js'
import { requestOf } from './request.js'
import { unverifiable } from './verifier.js'

/** Authenticates with a Passport strategy, then checks the permissions of `@Requires`. For HTTP and for messages. */
function guardOf(strategy: 'bearing' | 'bearing-claims') {
  @Injectable()
  class Guard extends AuthGuard(strategy) {
    constructor(readonly access: Access) {
      super()
    }

    override async canActivate(context: ExecutionContext): Promise<boolean> {
      await super.canActivate(context)
      const { user } = requestOf(context) as { user?: Principal }
      if (!user) throw missing()
      await this.access.require(context, user)
      return true
    }

    override getRequest = requestOf

    /** Strategies write no response, and messages have none. */
    getResponse(): object {
      return {}
    }

    override handleRequest<Caller>(error: unknown, caller: Caller | false): Caller {
      if (error) throw error instanceof OperationError ? error : unverifiable(error)
      if (!caller) throw missing()
      return caller
    }
  }
  return Guard
}

function missing(): OperationError {
  return new OperationError('credential_missing', 'The request has no credential.')
}

/** Accepts any credential of Bearing, and signed claims: asks identity over NATS, and caches the answer. */
export class BearingGuard extends guardOf('bearing') {}

/** Accepts signed claims alone (`Bearing-Identity`), verified offline. */
export class ClaimsGuard extends guardOf('bearing-claims') {}
