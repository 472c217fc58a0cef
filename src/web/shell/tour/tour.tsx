import { Popover } from '@base-ui/react/popover'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { boardAt } from '../../entities/board/address.ts'
import { showOverlay } from '../../entities/command/overlay.ts'
import type { Me } from '../../entities/user/me.ts'
import { hintOf } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'
import { endTour } from './request.ts'
import { STEPS } from './steps.ts'
import { centerOfWindow, useTarget } from './use-target.ts'
import './tour.css'

function end() {
  endTour()
  showOverlay(undefined)
}

/** Shows the most useful controls of a board, one after the other. */
export default function Tour({ me }: { me: Me }) {
  const [at, setAt] = useState(0)
  const step = STEPS[at]!
  const next = useRef<HTMLButtonElement>(null)
  const target = useTarget(step.targets)
  useBoardBehind(me)
  const goTo = (index: number) => (index === STEPS.length ? end() : setAt(Math.max(0, index)))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight') goTo(at + 1)
    if (event.key === 'ArrowLeft') goTo(at - 1)
    // The shortcuts of the board must not act behind the tour.
    if (event.key !== 'Escape') event.stopPropagation()
  }
  return (
    <Popover.Root open modal onOpenChange={(_, { reason }) => reason === 'escape-key' && end()}>
      <Ring target={target} />
      <Popover.Portal>
        <Popover.Positioner
          className="above"
          anchor={target ?? centerOfWindow}
          align="start"
          sideOffset={14}
          collisionPadding={12}
        >
          <Popover.Popup className="popup tour" initialFocus={next} onKeyDown={onKeyDown}>
            <p className="tour-progress">
              {t('tour.at_of_count', { at: at + 1, count: STEPS.length })}
              {step.shortcut && (
                <kbd>{step.shortcut.keysText?.toUpperCase() ?? hintOf(step.shortcut)}</kbd>
              )}
            </p>
            <div aria-live="polite">
              <Popover.Title>{step.title}</Popover.Title>
              <Popover.Description>{step.text}</Popover.Description>
            </div>
            <div className="tour-buttons">
              <button type="button" className="button quiet" onClick={end}>
                {t('tour.skip')}
              </button>
              {at > 0 && (
                <button type="button" className="button" onClick={() => goTo(at - 1)}>
                  {t('tour.back')}
                </button>
              )}
              <button type="button" ref={next} className="button main" onClick={() => goTo(at + 1)}>
                {at + 1 === STEPS.length ? t('tour.done') : t('tour.next')}
              </button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** Dims everything but the control that the step is about. */
function Ring({ target }: { target: Element | undefined }) {
  const ring = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const follow = () => {
      const { left, top, width, height } = (target ?? centerOfWindow).getBoundingClientRect()
      const { style } = ring.current!
      style.translate = `${left}px ${top}px`
      style.width = `${width}px`
      style.height = `${height}px`
      frame = requestAnimationFrame(follow)
    }
    let frame = 0
    follow()
    return () => cancelAnimationFrame(frame)
  }, [target])
  return <div ref={ring} className="tour-ring" hidden={!target} aria-hidden="true" />
}

/** The tour is about a board: opens one if another screen is shown. */
function useBoardBehind({ profile, boards }: Me) {
  const [path, go] = useLocation()
  const board = profile.default_board ?? boards[0]?.project_id
  const isElsewhere = boardAt(path) === undefined && board !== undefined
  useEffect(() => {
    if (isElsewhere) go(`/projects/${board}`)
  }, [isElsewhere, board, go])
}
