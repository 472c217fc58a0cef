import { cell } from '../../kit/cell.ts'

/** The overlay above the screen; only one is open at a time. */
export type OverlayName = 'find' | 'boards' | 'create' | 'keys' | 'templates'

const activeOverlay = cell<OverlayName | undefined>(undefined)
export const showOverlay = activeOverlay.put
export const useOverlay = activeOverlay.use
