import { describeCells } from './authorization-cells.js'

describeCells('management')
