import { Popover } from '@base-ui/react/popover'
import { useRef } from 'react'
import { useDraftText } from '../../entities/editor/draft-text.ts'
import { stop, type Timer } from '../../entities/timer/data.ts'
import { TimerClock } from '../../entities/timer/timer-clock.tsx'
import { Form, FormFooter } from '../../kit/form.tsx'
import { t } from '../../messages/t.ts'

interface Props {
  timer: Timer
  anchor: Element | null
  onClose(): void
}

const MAX_NOTE = 500

/** Asks for an optional note and stops the timer. */
export function StopForm({ timer, anchor, onClose }: Props) {
  const { text: note, type, draft } = useDraftText(`stop:${timer.task_id}`)
  const field = useRef<HTMLInputElement>(null)
  const { ticket_number, title } = timer
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          className="above"
          sideOffset={8}
          side="top"
          align="start"
          anchor={anchor}
        >
          <Popover.Popup
            className="popup stop-timer"
            aria-label={t('shell.stop_the_timer_of_ticket_number', { ticket_number })}
            initialFocus={field}
            finalFocus={() => (anchor instanceof HTMLElement && anchor.isConnected ? anchor : true)}
          >
            <Form
              onSubmit={() => {
                onClose()
                void stop(timer, note, draft.discard)
              }}
            >
              <p className="truncate">
                <b>{ticket_number}</b> <span dir="auto">{title}</span>
              </p>
              <input
                {...{ ref: field, className: 'field', maxLength: MAX_NOTE, value: note }}
                aria-label={t('common.note')}
                placeholder={t('shell.note_optional')}
                dir="auto"
                onChange={({ target }) => type(target.value)}
              />
              <FormFooter start={<TimerClock timer={timer} />} onCancel={onClose}>
                {t('common.stop')}
              </FormFooter>
            </Form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
