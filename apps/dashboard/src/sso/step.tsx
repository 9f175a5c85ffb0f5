import type { ReactNode } from 'react'
import { Icon } from '../parts/icon.js'
import { Card } from '../parts/page.js'

interface Props {
  readonly number: 1 | 2 | 3 | 4
  readonly title: string
  readonly about: ReactNode
  /** Badge of a completed step: "provider read". Undefined: not yet. */
  readonly done: string | undefined
  /** Badge of an incomplete step. */
  readonly missing: string
  readonly children: ReactNode
}

/** A step of the set-up, with its state. */
export function Step({ number, title, about, done, missing, children }: Props) {
  return (
    <li>
      <Card
        title={`${String(number)}. ${title}`}
        about={about}
        state={
          done === undefined ? (
            <span className="badge">{missing}</span>
          ) : (
            <span className="badge good">
              <Icon name="check" /> {done}
            </span>
          )
        }
      >
        {children}
      </Card>
    </li>
  )
}
