import { useState } from 'react'
import { counted } from '../ground/amounts.js'
import { Button } from '../parts/button.js'
import { DeleteSelectedDialog } from './delete-selected-dialog.js'
import type { Device } from './device-filter.js'
import { rereadDevices } from './device-queries.js'
import type { Selection } from './device-table.js'
import { MoveDialog } from './move-dialog.js'

/** What can be done with the devices that are selected. */
export function SelectionBar({ chosen, onChange }: Selection) {
  const [asked, setAsked] = useState<'move' | 'delete'>()
  const serials = [...chosen.keys()]
  const close = (done: readonly string[]) => {
    setAsked(undefined)
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
        <Button
          look="small"
          aria-haspopup="dialog"
          onPress={() => {
            setAsked('move')
          }}
        >
          Move …
        </Button>
        <Button
          look="small danger"
          aria-haspopup="dialog"
          onPress={() => {
            setAsked('delete')
          }}
        >
          Delete …
        </Button>
        <Button
          look="small plain"
          onPress={() => {
            onChange(new Map())
          }}
        >
          Clear the selection
        </Button>
      </div>
      {asked === 'move' && <MoveDialog serials={serials} onClose={close} />}
      {asked === 'delete' && <DeleteSelectedDialog devices={[...chosen.values()]} onClose={close} />}
    </div>
  )
}
