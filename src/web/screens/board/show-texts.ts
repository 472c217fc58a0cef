import { t } from '../../messages/t.ts'

export const showCompletedText = (count: number) =>
  count ? t('board.show_completed_count', { count }) : t('board.show_completed')
export const showHiddenText = (count: number) =>
  count ? t('board.show_hidden_columns_count', { count }) : t('board.show_hidden_columns')
