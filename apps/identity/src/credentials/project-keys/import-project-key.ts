import { OperationError } from '@bearing/contracts/errors'
import { importProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { isUniqueViolation, type Transaction } from '../../ground/database.js'
import { keyTaken, requireUnusedKey } from '../../organizations/project-keys/require-unused-key.js'
import { ReplaceProjectKey } from '../../organizations/project-keys/replace-project-key.js'

@Controller()
export class ImportProjectKey {
  constructor(private readonly replace: ReplaceProjectKey) {}

  @Handle(importProjectKey)
  async execute(
    input: Input<typeof importProjectKey>,
    by: Principal,
  ): Promise<Output<typeof importProjectKey>> {
    const { api_key: key } = input
    const allow = async (transaction: Transaction) => {
      await requireUnusedKey(transaction, key)
      // Requests for the key, and of this project: the operator has decided.
      await transaction.projectKeyImport.deleteMany({
        where: { OR: [{ key }, { projectId: input.project_id }] },
      })
    }
    try {
      const found = await this.replace.execute({ input, by, key, action: 'project_key.imported', allow })
      if (found.api_key === key) return found
    } catch (error) {
      if (isUniqueViolation(error)) throw keyTaken()
      throw error
    }
    throw new OperationError('overloaded', 'The key was cycled at the same moment. Import it again.', {
      retry_after: 1,
    })
  }
}
