/* What is said of a line of a file of customers, in the browser and by the server. */

export const moreCellsThanColumns = (cells: number, columns: number) =>
  `It has ${cells} cells where the first line has ${columns}: a text that holds the separator needs quotation marks around it`
