import { useState } from 'react'
import { counted } from '../ground/amounts.js'
import { Button } from '../parts/button.js'
import { DeleteSelectedDialog } from './delete-selected-dialog.js'
import type { Device } from './device-filter.js'
import { rereadDevices } from './device-queries.js'
import type { Selection } from './device-table.js'

/** Shows the actions for the devices that are selected. */
export function SelectionBar({ chosen, onChange }: Selection) {
  const [isAsked, setAsked] = useState(false)
  const close = (done: readonly string[]) => {
    setAsked(false)
    // Devices that failed may have changed too: a reply can be lost.
    void rereadDevices()
    const rest = new Map<string, Device>(chosen)
    for (const serial of done) rest.delete(serial)
    if (done.length > 0) onChange(rest)
  }
  return (
    <div className="picked" role="region" aria-label="Selected devices">
      <strong>{counted(chosen.size, 'device')} selected</strong>
      <div className="row">
        <Button look="small danger" aria-haspopup="dialog" onPress={() => setAsked(true)}>
          Delete …
        </Button>
        <Button look="small plain" onPress={() => onChange(new Map())}>
          Clear the selection
        </Button>
      </div>
      {isAsked && <DeleteSelectedDialog devices={[...chosen.values()]} onClose={close} />}
    </div>
  )
}
