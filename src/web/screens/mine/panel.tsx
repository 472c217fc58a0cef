import { t } from '../../messages/t.ts'
import { OptionsForm, Toggle, Values } from './options-form.tsx'
import type { ViewState } from './view-state.ts'

interface Props {
  viewState: ViewState
  snoozedCount: number
  onSave(): void
}

/** The options take effect at once and are kept in the URL. */
export default function Panel({ viewState, snoozedCount, onSave }: Props) {
  const { options, updateOptions, showsSnoozed, setShowsSnoozed, isChanged, reset } = viewState
  return (
    <>
      <OptionsForm {...{ options, updateOptions }} />
      <Values name={t('common.snoozed')}>
        <Toggle on={showsSnoozed} onToggle={() => setShowsSnoozed(!showsSnoozed)}>
          {t('mine.show_snoozed')}
          <span className="soft">{snoozedCount || ''}</span>
        </Toggle>
      </Values>
      <footer>
        <button type="button" className="button quiet" disabled={!isChanged} onClick={reset}>
          {t('common.clear')}
        </button>
        <button type="button" className="button plain" onClick={onSave}>
          {t('mine.save_as_a_view')}
        </button>
      </footer>
    </>
  )
}
