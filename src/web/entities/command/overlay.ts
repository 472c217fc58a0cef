import { createStore } from '../../kit/store.ts'

/** The overlay above the screen; only one is open at a time. */
export type OverlayName =
  | 'find'
  | 'boards'
  | 'create'
  | 'keys'
  | 'templates'
  | 'history'
  | 'page'
  | 'tour'

const activeOverlay = createStore<OverlayName | undefined>(undefined)
export const showOverlay = activeOverlay.set
export const useOverlay = activeOverlay.use
