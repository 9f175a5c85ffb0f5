import type { Input, Operation, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Catch, SetMetadata, UseFilters, type RpcExceptionFilter } from '@nestjs/common'
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices'
import { throwError, type Observable } from 'rxjs'

/** Hands every error to the transport as it is. Nest's own filter would turn it into a text without a type. */
@Catch()
class PassErrors implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error)
  }
}

/** The `extras` key under which {@link import('./server.js')} finds the operation. */
export const OPERATION = 'operation'

type Handler<O extends Operation> = O['permission'] extends 'internal' | 'public'
  ? (input: Input<O>) => Promise<Output<O>>
  : (input: Input<O>, by: Principal) => Promise<Output<O>>

/**
 * Makes a method the handler of an operation: it gets the validated input and the principal, and returns the output.
 * A method of another shape does not compile.
 */
export function Handle<O extends Operation>(operation: O) {
  // Generic over the method, because a property descriptor is invariant: a method that takes only the input would not fit.
  return <Method extends Handler<O>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): TypedPropertyDescriptor<Method> => {
    Payload()(target, key, 0)
    Ctx()(target, key, 1)
    MessagePattern(operation.subject, { [OPERATION]: operation })(target, key, descriptor)
    UseFilters(PassErrors)(target, key, descriptor)
    SetMetadata(OPERATION, operation)(target, key, descriptor)
    return descriptor
  }
}

/** Returns the operation of a method that {@link Handle} declares. */
export function operationOf(handler: object): Operation | undefined {
  return Reflect.getMetadata(OPERATION, handler) as Operation | undefined // put there by `Handle`
}
