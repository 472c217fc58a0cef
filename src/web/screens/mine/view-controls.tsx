import { Suspense, useMemo, useRef, useState } from 'react'
import { type Command, useCommands } from '../../entities/command/commands.ts'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { Popover } from '../../kit/popover.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'
import { IN_LIST } from './shortcuts.ts'
import { INVOLVEMENTS, type Involvement } from './view-options.ts'
import type { ViewState } from './view-state.ts'
import { useSaveToView } from './views.ts'

const Panel = lazyComponent(() => import('./panel.tsx'))
const ViewDialog = lazyComponent(() => import('./view-dialog.tsx'))

interface Props {
  viewState: ViewState
  snoozedCount: number
  open: boolean
  onOpen(open: boolean): void
}

/** The view options, and saving them to a view. */
export function ViewControls({ viewState, snoozedCount, open, onOpen }: Props) {
  const [isSaving, setSaving] = useState(false)
  const { isChanged, view } = viewState
  const saveToView = useSaveToView(viewState)
  useCommands(useViewCommands(viewState, () => setSaving(true)))
  return (
    <div className="end">
      {isChanged && view && (
        <button type="button" className="button quiet" onClick={() => saveToView(view)}>
          {t('mine.save_changes_to_title', { title: view.title })}
        </button>
      )}
      <Popover
        {...{ label: t('mine.view_options'), className: 'my-panel', align: 'end', open, onOpen }}
        trigger={
          <button
            type="button"
            className="button plain"
            title={t('mine.view_hint', { hint: hintOf(IN_LIST.filter) })}
          >
            <Icon name="filter" />
            {t('mine.view')}
            {isChanged && (
              <span className="dot changed" role="img" aria-label={t('mine.changed')} />
            )}
          </button>
        }
      >
        <Suspense>
          <Panel
            {...{ viewState, snoozedCount }}
            onSave={() => {
              onOpen(false)
              setSaving(true)
            }}
          />
        </Suspense>
      </Popover>
      {isSaving && (
        <Suspense>
          <ViewDialog view={undefined} viewState={viewState} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** View commands for the command palette. */
function useViewCommands(viewState: ViewState, save: () => void): readonly Command[] {
  const { involvement, grouping, withDone } = viewState.options
  const { showsSnoozed } = viewState
  const latest = useRef({ viewState, save })
  latest.current = { viewState, save }
  return useMemo((): Command[] => {
    const getState = () => latest.current.viewState
    const other = grouping === 'due' ? 'board' : 'due'
    const others = (Object.keys(INVOLVEMENTS) as Involvement[]).filter((one) => one !== involvement)
    return [
      ...others.map((one) => ({
        ...{ name: INVOLVEMENTS[one], icon: 'list' as const },
        run: () => getState().updateOptions({ involvement: one }),
      })),
      {
        ...{
          name: other === 'due' ? t('mine.group_by_due_date') : t('mine.group_by_board'),
          icon: 'list',
        },
        run: () => getState().updateOptions({ grouping: other }),
      },
      {
        ...{
          name: withDone ? t('mine.hide_completed_tasks') : t('mine.show_completed_tasks'),
          icon: 'done',
        },
        run: () => getState().updateOptions({ withDone: !withDone }),
      },
      {
        ...{
          name: showsSnoozed ? t('mine.hide_snoozed_tasks') : t('mine.show_snoozed_tasks'),
          icon: 'moon',
        },
        run: () => getState().setShowsSnoozed(!showsSnoozed),
      },
      { name: t('mine.save_as_a_view'), icon: 'plus', run: () => latest.current.save() },
    ]
  }, [involvement, grouping, withDone, showsSnoozed])
}
