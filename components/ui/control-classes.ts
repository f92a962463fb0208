/** The look of every text control: inputs, areas and selects. */
export const controlClasses =
  'min-w-0 rounded-md border border-edge bg-surface px-3 text-ink transition-colors hover:border-ink-faint aria-invalid:border-negative'
