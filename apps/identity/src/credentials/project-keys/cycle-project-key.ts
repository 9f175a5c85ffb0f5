import { cycleProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import type { Transaction } from '../../ground/database.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { newProjectKey } from '../../organizations/project-keys/project-key-row.js'
import { ReplaceProjectKey } from '../../organizations/project-keys/replace-project-key.js'

@Controller()
export class CycleProjectKey {
  constructor(
    private readonly replace: ReplaceProjectKey,
    private readonly randomness: Randomness,
  ) {}

  @Handle(cycleProjectKey)
  execute(input: Input<typeof cycleProjectKey>, by: Principal): Promise<Output<typeof cycleProjectKey>> {
    const allow = (transaction: Transaction) => requireManager(transaction, by, input, 'project-key:cycle')
    const key = newProjectKey(this.randomness.bytes)
    return this.replace.execute({ input, by, key, action: 'project_key.cycled', allow })
  }
}
