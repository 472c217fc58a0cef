import { hintOf } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'
import { TOGGLE_SOURCE, toggleSourceMode, useSourceMode } from './source-mode.ts'

/** Switches between the rendered text and its Markdown source. */
export const SourceButton = () => (
  <button
    type="button"
    className="button quiet"
    aria-pressed={useSourceMode()}
    title={`${TOGGLE_SOURCE.description} (${hintOf(TOGGLE_SOURCE)})`}
    onClick={toggleSourceMode}
  >
    {t('editor.source')}
  </button>
)
