import { expect, type Locator, type Page } from '@playwright/test'
import { textOf, textsOn } from './language'
import { waitForScript } from './session'

/** The parts of a list page by the names of docs/automation.md. */
export class ListPage {
  readonly grid: Locator
  readonly rows: Locator
  readonly walk: Locator
  readonly loadMore: Locator
  readonly scroller: Locator

  constructor(
    readonly page: Page,
    name: string,
  ) {
    this.grid = page.getByRole('grid', { name, exact: true })
    this.rows = this.grid.locator('[data-row-id]')
    this.walk = page.locator('[data-walk]')
    this.loadMore = page.getByRole('button', { name: textOf('lists_loadMore'), exact: true })
    this.scroller = page.locator('[data-scroller]')
  }

  /** Waits until the first rows are shown and the page is hydrated. */
  async ready(): Promise<void> {
    await expect(this.rows.first()).toBeVisible()
    await expect(this.walk).toHaveAttribute('data-walk', /more|complete|incomplete/u)
  }

  row(id: string): Locator {
    return this.grid.locator(`[data-row-id="${id}"]`)
  }

  rowsOf(status: string): Locator {
    return this.grid.locator(`[data-row-id][data-status="${status}"]`)
  }

  /** The ids of the rendered rows in order. */
  visibleIds(): Promise<string[]> {
    return this.rows.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row-id') ?? ''))
  }

  async idOf(row: Locator): Promise<string> {
    return (await row.getAttribute('data-row-id')) ?? ''
  }

  /** Goes to the bottom until the list has ended. `end`: the `data-walk` that is waited for. */
  async loadAll(end: string | RegExp = /^(?:complete|incomplete)$/u): Promise<void> {
    await expect(async () => {
      await this.scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      await expect(this.walk).toHaveAttribute('data-walk', end, { timeout: 100 })
    }).toPass({ timeout: 60_000, intervals: [50] })
  }

  /** Scrolls from the top to the end of the list like a user. Returns all ids seen. */
  async scrollToEnd(): Promise<Set<string>> {
    const seen = new Set<string>()
    await this.scroller.evaluate((element) => element.scrollTo(0, 0))
    for (;;) {
      for (const id of await this.visibleIds()) seen.add(id)
      const atEnd = await this.scroller.evaluate((element) => {
        const before = element.scrollTop
        element.scrollBy(0, element.clientHeight * 0.8)
        return element.scrollTop === before
      })
      const walk = await this.walk.getAttribute('data-walk')
      if (atEnd && walk !== 'loading' && walk !== 'more') return seen
      if (atEnd) await expect(this.walk).not.toHaveAttribute('data-walk', 'loading')
      await this.page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      )
    }
  }
}

/** Opens the search by its shortcut. Returns its focused field. */
export async function openSearch(page: Page, keys = 'Control+K'): Promise<Locator> {
  await waitForScript(page)
  await page.keyboard.press(keys)
  const field = page.getByRole('combobox', { name: (await textsOn(page))('finding_findLabel') })
  await expect(field).toBeFocused()
  return field
}

/** The button of a filter, which also says what is set: "State" or "State: Settled". */
export function filterButton(page: Page, label: string): Locator {
  return page.getByRole('search').getByRole('button', { name: new RegExp(`^${label}(: .+)?$`, 'u') })
}

/** Presses the named choices of a filter and closes its panel. */
export async function chooseFilter(page: Page, label: string, choices: readonly string[]): Promise<void> {
  const button = filterButton(page, label)
  const more = filterButton(page, 'More filters')
  await button.or(more).first().waitFor()
  if (await button.count()) await button.click()
  else {
    await more.click()
    await page.getByRole('dialog', { name: 'More filters' }).getByRole('button', { name: label, exact: true }).click()
  }
  const panel = page.getByRole('dialog', { name: `Filter by ${label}` })
  for (const choice of choices) await panel.getByText(new RegExp(`^${choice}$`, 'iu')).click()
  if (await panel.isVisible()) await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
}
