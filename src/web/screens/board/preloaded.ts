import { LAYOUTS } from './board-layout.tsx'
import { CardTools } from './card/card.tsx'
import { CardMenu } from './card/card-events.tsx'
import { FilterBar } from './filter/chips.tsx'
import { BulkBar, Picker } from './popups.tsx'
import { Sheet } from './print.tsx'
import { QuickAddField } from './quick-add/quick-add.tsx'

const marquee = {
  preload: () =>
    import('./drag/marquee.ts').then(
      () => {},
      () => {},
    ),
}
const { list, board: lanes, calendar, timeline } = LAYOUTS

/** What a key or a press shows on a board, in the order in which it is loaded. */
export const PRELOADED = [
  ...[Picker, CardTools, CardMenu, FilterBar, QuickAddField, marquee],
  ...[list, BulkBar, lanes, calendar, timeline, Sheet],
]
