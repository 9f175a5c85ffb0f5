import { useState } from 'react'
import { areKeysOn, switchKeys } from '../ground/key-setting.js'
import { Button } from '../parts/button.js'
import { Check } from '../parts/choice.js'
import { Dialog } from '../parts/dialog.js'
import { Keys } from '../parts/keys.js'
import type { Place } from './places.js'

/** Lists every shortcut. */
export function KeysDialog({
  places,
  onClose,
}: {
  readonly places: readonly Place[]
  readonly onClose: () => void
}) {
  const [areOn, setOn] = useState(areKeysOn)
  return (
    <Dialog title="Keyboard shortcuts" isOpen isUnasked onClose={onClose}>
      <dl className="facts">
        <Shortcut
          keys={['Ctrl', 'K']}
          does="Search pages, projects and devices, or paste a token (⌘ K on a Mac)"
        />
        <Shortcut keys={['/']} does="Search the list on this page" />
        <Shortcut keys={['?']} does="Show this list" />
        {places.map(
          ({ key, title, to }) => key !== undefined && <Shortcut key={to} keys={['g', key]} does={title} />,
        )}
      </dl>
      <Check
        text="Shortcuts of single keys"
        hint="Switch them off if speech input presses them. Ctrl K stays."
        isChecked={areOn}
        onChange={(isChecked) => {
          switchKeys(isChecked)
          setOn(isChecked)
        }}
      />
      <div className="actions">
        <Button autoFocus onPress={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}

/** Keys, and what they do. */
function Shortcut({ keys, does }: { readonly keys: readonly string[]; readonly does: string }) {
  return (
    <>
      <dt>
        <Keys keys={keys} />
        <span className="visually-hidden">{keys.join(' ')}</span>
      </dt>
      <dd>{does}</dd>
    </>
  )
}
