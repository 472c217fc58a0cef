import { cache, useOperationMutation } from '../../data/cache.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { dropInactiveQueries } from './follow.ts'
import type { MyView } from './types.ts'
import { viewFieldsOf } from './view-options.ts'
import { setDefaultView } from './view-order.ts'
import type { ViewState } from './view-state.ts'

export const reloadViews = () => cache.invalidateQueries({ queryKey: ['my_views.list'] })

/** The fields of a view without its id and timestamps. */
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

/** Saves the current options to a view. */
export function useSaveToView(viewState: ViewState) {
  const { mutate } = useOperationMutation('my_views.update', { onFailed: showError })
  return (view: MyView) => {
    const { view_id, title } = view
    mutate(
      { view_id, ...viewFieldsOf(viewState.options) },
      {
        async onSuccess() {
          await reloadViews()
          dropInactiveQueries()
          viewState.show(view_id)
          showToast(t('mine.saved_changes_to_title', { title }), () =>
            mutate({ view_id, ...draftOf(view) }, { onSuccess: () => void reloadViews() }),
          )
        },
      },
    )
  }
}

/** Deletes a view at once; undo creates an equal one. */
export function useDeleteView(viewState: ViewState) {
  const { mutate: create } = useOperationMutation('my_views.create', {
    async onDone({ view_id }) {
      await reloadViews()
      viewState.show(view_id)
    },
    onFailed: showError,
  })
  const { mutate } = useOperationMutation('my_views.delete', { onFailed: showError })
  return (view: MyView) => {
    const { view_id, title } = view
    mutate(
      { view_id },
      {
        async onSuccess() {
          if (viewState.first === view_id) setDefaultView(undefined)
          viewState.show(undefined)
          await reloadViews()
          showToast(t('mine.deleted_the_view_title', { title }), () => create(draftOf(view)))
        },
      },
    )
  }
}
