import { Button } from '../parts/button.js'
import { Check } from '../parts/choice.js'
import { Dialog } from '../parts/dialog.js'
import { chosenColumns, columnsFor, keepColumns } from './columns.js'

/** Stands for no column: an empty text means the default. */
const NONE = 'none'

interface Props {
  readonly attributes: readonly { readonly name: string }[]
  readonly value: string
  readonly onChange: (columns: string) => void
  readonly onClose: () => void
}

/** Chooses the columns of the list. The choice is in the URL, and kept in this browser. */
export function ColumnsDialog({ attributes, value, onChange, onClose }: Props) {
  const ids = chosenColumns(value)
  return (
    <Dialog title="Columns" isOpen onClose={onClose}>
      <p className="quiet">This browser keeps the choice, and the address of the page has it too.</p>
      <div className="pair">
        {columnsFor(attributes.map(({ name }) => name)).map(({ id, title }) => (
          <Check
            key={id}
            text={title}
            isChecked={ids.includes(id)}
            onChange={(isChecked) => {
              const others = ids.filter((other) => other !== id && other !== NONE)
              const next = isChecked ? [...others, id] : others
              onChange(keepColumns(next.length === 0 ? [NONE] : next))
            }}
          />
        ))}
      </div>
      <div className="actions">
        <Button look="primary" autoFocus onPress={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
