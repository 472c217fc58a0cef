import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { boardAt } from '../../entities/board/address.ts'
import { showOverlay } from '../../entities/command/overlay.ts'
import { storageName } from '../../kit/base-path.ts'

const KEY = storageName('tour')
const REQUESTED = 'requested'
const ENDED = 'ended'

/** The state of this page, where the browser allows no storage. */
let unstored: string | null = null

function store(state: string) {
  try {
    localStorage.setItem(KEY, state)
  } catch {
    unstored = state
  }
}

function storedState(): string | null {
  try {
    return unstored ?? localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** Requests the tour at the first sign-in, once in each browser. */
export function requestTour() {
  if (storedState() === null) store(REQUESTED)
}

export const endTour = () => store(ENDED)

const POLL_MS = 1500

/** Shows a requested tour on the first board, as soon as nothing else has the focus. */
export function useRequestedTour() {
  const [path] = useLocation()
  const isOnBoard = boardAt(path) !== undefined
  useEffect(() => {
    if (!isOnBoard || storedState() !== REQUESTED) return
    const timer = setInterval(() => {
      if (!isIdle()) return
      clearInterval(timer)
      showOverlay('tour')
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [isOnBoard])
}

/** The board is drawn, no popup is open, and nobody is typing. */
const isIdle = () =>
  document.querySelector('#main .column') !== null &&
  !document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') &&
  [document.body, document.getElementById('main')].some((one) => one === document.activeElement)
