import { cache, useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { forgetOthers } from './follow.ts'
import type { Look } from './look.ts'
import { openWith } from './own.ts'
import type { MyView } from './shapes.ts'
import { keptOf } from './wanted.ts'

export const readViews = () => cache.invalidateQueries({ queryKey: ['my_views.list'] })
const failed = (error: Error) => complain(wordsOf(error))

/** What a view is made of. */
const draftOf = ({
  view_id: _,
  created_at: _1,
  updated_at: _2,
  sorting_mode: _3,
  ...rest
}: MyView) => {
  const { sorting_order: _4, ...draft } = rest
  return draft
}

/** Keeps in a view what is chosen beside it. */
export function useKeep(look: Look) {
  const { act } = useAct('my_views.update', { failed })
  return (view: MyView) => {
    const { view_id, title } = view
    act(
      { view_id, ...keptOf(look.wanted) },
      {
        async onSuccess() {
          await readViews()
          forgetOthers()
          look.show(view_id)
          say(`Kept in ${title}`, () =>
            act({ view_id, ...draftOf(view) }, { onSuccess: () => void readViews() }),
          )
        },
      },
    )
  }
}

/** Deleted at once; undoing makes the same view anew. */
export function useErase(look: Look) {
  const { act: create } = useAct('my_views.create', {
    async done({ view_id }) {
      await readViews()
      look.show(view_id)
    },
    failed,
  })
  const { act } = useAct('my_views.delete', { failed })
  return (view: MyView) => {
    const { view_id, title } = view
    act(
      { view_id },
      {
        async onSuccess() {
          if (look.first === view_id) openWith(undefined)
          look.show(undefined)
          await readViews()
          say(`Deleted the view ${title}`, () => create(draftOf(view)))
        },
      },
    )
  }
}
