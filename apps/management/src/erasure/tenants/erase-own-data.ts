import { Injectable } from '@nestjs/common'
import type { Tenant } from './deletion-row.js'

/** What one batch has erased, and how much is left, at least: 0 if and only if nothing is. */
export interface Erased {
  readonly erased: number
  readonly remaining: number
}

/** Erases what management has of a tenant. */
@Injectable()
export class EraseOwnData {
  batch(_tenant: Tenant): Promise<Erased> {
    return Promise.reject(new Error('not yet'))
  }
}
