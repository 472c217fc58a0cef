import { locale } from '../../kit/locale.ts'
import { t } from '../../messages/t.ts'

const format = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 6,
})
export const usdText = (usd: number) => format.format(usd)

interface Budget {
  used_usd: number
  budget_usd: number | null
}

export const budgetText = ({ used_usd, budget_usd }: Budget) =>
  budget_usd === null
    ? t('agent.used_this_month', { used: usdText(used_usd) })
    : t('agent.used_of_budget_this_month', {
        used: usdText(used_usd),
        budget: usdText(budget_usd),
      })

/** No text is no budget. Invalid input becomes 0, which the server refuses with its own message. */
export const parseBudget = (text: string): number | null =>
  text.trim() ? Number(text.trim().replace(',', '.')) || 0 : null
