import { useState } from 'react'
import { client } from '../ground/client.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { codeInput } from '../parts/code-input.js'
import { AsCommand } from '../parts/command.js'
import { FormDialog } from '../parts/form-dialog.js'
import { CodeProof } from '../parts/proof.js'
import { RecoveryCodes } from './recovery-codes.js'

const TEXTS = {
  renew: {
    title: 'New recovery codes',
    about: 'The codes from before stop working.',
    verb: 'Create new codes',
    command: 'bearing totp recovery-codes rotate',
    look: 'primary',
  },
  remove: {
    title: 'Turn the second factor off?',
    about:
      'The password alone is then enough to sign in. Organizations that require a second factor let you in no more.',
    verb: 'Turn off',
    command: 'bearing totp delete',
    look: 'danger primary',
  },
} as const

/** Asks for a code and then renews the recovery codes, or turns the second factor off. */
export function CodeDialog({
  of,
  onClose,
}: {
  readonly of: keyof typeof TEXTS
  readonly onClose: () => void
}) {
  const { title, about, verb, command, look } = TEXTS[of]
  const [code, typedCode] = useInput('')
  const [codes, setCodes] = useState<readonly string[]>()
  const action = useAction(async () => {
    if (of === 'remove') {
      await client.call('removeTotp', codeInput(code))
      onClose()
    } else setCodes((await client.call('renewRecoveryCodes', codeInput(code))).recovery_codes)
  })
  return (
    <FormDialog
      {...{ title, action, verb, look, onClose }}
      result={codes && <RecoveryCodes codes={codes} onSaved={onClose} />}
    >
      <p>{about}</p>
      <CodeProof {...typedCode} autoFocus />
      <AsCommand bearing={command} />
    </FormDialog>
  )
}
