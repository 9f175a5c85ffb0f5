import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Dialog } from 'react-aria-components/Dialog'
import { Label } from 'react-aria-components/Label'
import { Collection, Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Input, TextField } from 'react-aria-components/TextField'
import { usePaletteItems, type Item } from './palette-items.js'
import type { Place } from './places.js'

/** Leads anywhere by keyboard. What is typed is gone when it closes. */
export function Palette({
  places,
  onClose,
}: {
  readonly places: readonly Place[]
  readonly onClose: () => void
}) {
  const [text, setText] = useState('')
  const sections = usePaletteItems(text, places)
  const navigate = useNavigate()
  const open = ({ to, search, run, href }: Item) => {
    if (href !== undefined) window.location.assign(href)
    if (to === undefined && run === undefined) return
    onClose()
    if (to !== undefined) void navigate({ to, search: { ...search } })
    run?.()
  }
  return (
    <ModalOverlay
      className="veil"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Modal className="dialog palette">
        <Dialog aria-label="Search or jump to">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <TextField autoFocus>
              <Label className="visually-hidden">
                Page, device, action, project, token, MAC address or request id
              </Label>
              <Input
                className="input"
                placeholder="Page, device, action, or paste a token, MAC or id"
                autoComplete="off"
                spellCheck={false}
              />
            </TextField>
            <ListBox
              aria-label="Results"
              items={sections.map((section) => ({ id: section.title, ...section }))}
              selectionMode="none"
              renderEmptyState={() => <p className="quiet">Nothing matches.</p>}
            >
              {({ title, items }) => (
                <ListBoxSection>
                  <Header>{title}</Header>
                  <Collection items={items}>
                    {(item) => (
                      <ListBoxItem className="option" textValue={item.text} onAction={() => open(item)}>
                        {item.text}
                        {item.hint !== undefined && item.hint !== '' && <small>{item.hint}</small>}
                      </ListBoxItem>
                    )}
                  </Collection>
                </ListBoxSection>
              )}
            </ListBox>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
